# SPDX-License-Identifier: Apache-2.0
# The older name of set_env.sh, for scripts that source bin/setenv.bash.
. "$(dirname -- "${BASH_SOURCE[0]}")/../set_env.sh"
