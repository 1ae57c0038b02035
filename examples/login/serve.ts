/** Starts the provider on a port, with a certificate and its key. */
import { readFileSync } from 'node:fs';
import { startProvider } from './provider.js';

const [port, cert = '', key = ''] = process.argv.slice(2);
const { url } = await startProvider({
  port: Number(port),
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
console.log(`provider at ${url}`);
