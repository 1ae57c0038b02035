/**
 * The files of a new project for its deployment: an image, a service of systemd, Docker Compose, Kubernetes, and checks
 * in CI.
 */
import type { KindNames, NewFiles } from './new-sources.js';

export const deployFiles = (names: KindNames): NewFiles => ({
  Dockerfile: image,
  '.dockerignore': ignored,
  'compose.yaml': compose(names),
  [`deploy/${names.project}.service`]: service(names),
  'deploy/kubernetes.yaml': manifest(names),
  '.github/workflows/ci.yml': workflow,
});

const image = `# The server of this project in an image of about 140 MB.
FROM node:22-bookworm-slim AS build
WORKDIR /build
# *.tgz: a package may be a file, as in "kindforge": "file:kindforge-0.1.0.tgz".
COPY package.json package-lock.json* *.tgz ./
RUN if [ -e package-lock.json ]; then npm ci; else npm install; fi
COPY . .
# If \`static\` names a page: the script \`build\` makes it.
RUN npm run build --if-present
RUN npx kindforge bundle --out /bundle
# Node without its symbols, which are a seventh of its size.
RUN apt-get update && apt-get install --yes --no-install-recommends binutils && strip -o /usr/local/bin/small-node "$(command -v node)"
RUN mkdir -m 0700 /data

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/small-node /usr/local/bin/node
COPY --from=build /bundle /app
# The objects and the administrator's credentials. Nobody else may read them.
COPY --from=build --chown=nonroot:nonroot /data /data
VOLUME /data
ENV NODE_ENV=production KINDFORGE_STORAGE=lmdb:/data KINDFORGE_BIND_ADDRESS=0.0.0.0
# TLS. Plain HTTP is for the inside of the container only.
EXPOSE 6443
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=30s --interval=10s --timeout=5s \\
  CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:8080/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/app/server.cjs"]
`;

const ignored = `.git
.github
.kindforge
bundle
deploy
node_modules
# Keys and credentials.
**/encryption.yaml
**/*kubeconfig*
**/*.key
`;

const compose = ({ project }: KindNames): string => `# docker compose up --build
services:
  ${project}:
    build: .
    ports: ['6443:6443']
    environment:
      # The names by which clients reach the server; its certificate has them.
      KINDFORGE_TLS_SAN: localhost
    volumes: ['data:/data']
    restart: unless-stopped
    # The server first answers the requests in progress.
    stop_grace_period: 60s
volumes:
  data: {}
`;

const service = ({ project }: KindNames): string => `# A service of systemd: /etc/systemd/system/${project}.service
# It starts the bundle of the project: npx kindforge bundle && cp -r bundle /opt/${project}
[Unit]
Description=${project}
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
# The server reports to systemd with systemd-notify, a separate process.
NotifyAccess=all
ExecStart=/usr/bin/node /opt/${project}/server.cjs --storage lmdb:/var/lib/${project} --quiet
# Settings of this machine, such as KINDFORGE_BIND_ADDRESS=0.0.0.0 and KINDFORGE_TLS_SAN=api.example.com.
EnvironmentFile=-/etc/${project}.env
DynamicUser=yes
StateDirectory=${project}
StateDirectoryMode=0700
Restart=on-failure
WatchdogSec=30s
# Millions of objects take a while to read, and requests in progress to answer.
TimeoutStartSec=5min
TimeoutStopSec=90s
LimitNOFILE=65536
# The server needs its data and the network. V8 compiles while it runs, so no MemoryDenyWriteExecute.
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
LockPersonality=yes
UMask=0077
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;

const manifest = ({ project }: KindNames): string => `# The server in a cluster: kubectl apply -f deploy/kubernetes.yaml
# Its administrator's kubeconfig: kubectl exec deploy/${project} -- /usr/local/bin/node -p "require('fs').readFileSync('/data/credentials/kubeconfig', 'utf8')"
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${project}, labels: { app: ${project} } }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
---
apiVersion: v1
kind: Service
metadata: { name: ${project}, labels: { app: ${project} } }
spec:
  selector: { app: ${project} }
  ports: [{ name: https, port: 443, targetPort: https }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${project}, labels: { app: ${project} } }
spec:
  # Only one process can use this data. For several processes, use --storage postgres://... or etcd:... and no volume.
  replicas: 1
  strategy: { type: Recreate }
  selector: { matchLabels: { app: ${project} } }
  template:
    metadata: { labels: { app: ${project} } }
    spec:
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 60
      securityContext: { runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: server
          image: ${project}:latest
          env:
            # The names by which clients reach the server; its certificate has them.
            - { name: KINDFORGE_TLS_SAN, value: '${project},${project}.default.svc' }
          ports: [{ name: https, containerPort: 6443 }]
          livenessProbe: { httpGet: { path: /livez, port: https, scheme: HTTPS } }
          readinessProbe: { httpGet: { path: /readyz, port: https, scheme: HTTPS } }
          startupProbe: { httpGet: { path: /livez, port: https, scheme: HTTPS }, failureThreshold: 60, periodSeconds: 2 }
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
          resources: { requests: { cpu: 100m, memory: 256Mi } }
          volumeMounts: [{ name: data, mountPath: /data }, { name: tmp, mountPath: /tmp }]
      volumes:
        - { name: data, persistentVolumeClaim: { claimName: ${project} } }
        - { name: tmp, emptyDir: {} }
`;

const workflow = `# Checks of each change: definitions, generated code and types, effects on clients, and the tests.
name: ci
on:
  push: { branches: [main] }
  pull_request: {}
permissions: { contents: read }
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22, cache: npm }
      - run: npm ci
      - run: npm run check
      # Reports changes since the last \`npx kindforge release\`.
      - if: hashFiles('schemas/lock/released/**') != ''
        run: npm run diff
      - run: npm test
      # If \`static\` names a page: the script \`build\` makes it.
      - run: npm run build --if-present
      - run: npm run bundle
`;
