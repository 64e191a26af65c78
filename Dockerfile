# An image in which Ferry is installed from its Debian packages:
#   docker build -t ferry . && docker run --rm ferry demo
# SPDX-License-Identifier: Apache-2.0
FROM debian:12 AS build
WORKDIR /src
COPY . .
RUN scripts/packages

FROM debian:12
COPY --from=build /src/build/packages/*.deb /var/tmp/ferry/
RUN apt-get update && apt-get install -y --no-install-recommends /var/tmp/ferry/*.deb
RUN rm -rf /var/tmp/ferry /var/lib/apt/lists/*
ENTRYPOINT ["ferry"]
CMD ["demo"]
