# Gigdesk only: no compiler, tests or simulated services. How to run it: compose.yaml and docs/install.md.
#
# The base image is pinned by version. To pin its content too, add the digest after the version (@sha256:…).
# `docker buildx imagetools inspect node:24.20.0-bookworm-slim` shows it.
FROM node:24.20.0-bookworm-slim AS base

FROM base AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --prefer-offline
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.js

FROM base AS modules
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --prefer-offline

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The base image's user `node`. A number shows other tools that it isn't root.
RUN install -d -o 1000 -g 1000 -m 700 /data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=modules /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
USER 1000:1000
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((it) => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--no-concurrent-marking", "dist/main.js"]
