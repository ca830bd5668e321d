# better-sqlite3 is compiled where no prebuilt one can be fetched.
FROM node:20-bookworm-slim AS base
RUN apt-get update -q && apt-get install -q -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
RUN npm run --silent build

FROM base AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY rules ./rules
# The default store, sqlite:data/alertlore.db, is relative to the working directory.
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node
EXPOSE 9845
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9845/-/healthy').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: the signal that ends the container must reach the program.
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
