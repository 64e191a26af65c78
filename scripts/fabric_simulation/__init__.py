# SPDX-License-Identifier: Apache-2.0
"""Parts of scripts/simulate_fabric.py."""
