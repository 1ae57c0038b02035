/** Checks that the ports of a server are free, or have a server of Kubernetes kind on them. */
import { createServer } from 'node:net';
import { type Check, type Finding, ok, problem, warning } from '../finding.js';

export const ports: Check = {
  name: 'ports',
  run: ({ ports: wanted }) => Promise.all(wanted.map(checkPort)),
};

async function checkPort(port: number): Promise<Finding> {
  const code = await listen(port);
  if (code === undefined) return ok(`port ${port} is free`);
  if (code === 'EACCES') return problem(`port ${port} is not for this user`, 'Choose one above 1023');
  return warning(
    `port ${port} is in use (${code})`,
    'If that is no server of yours, choose another with --http-port or --secure-port, or auto for a free one',
  );
}

/** The code of the error of listening on a port of this machine. */
const listen = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
