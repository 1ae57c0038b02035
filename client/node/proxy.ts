/** Finds the proxy that leads to a server by the environment: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
import { BlockList, isIP } from 'node:net';

/** Variables, of which names in capitals and in small letters count alike. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The URL of the proxy, or `undefined` where the server is reached without. Servers on the same machine always are. */
export function proxyFor(url: URL, environment: Environment = process.env): string | undefined {
  const variable = (name: string): string | undefined =>
    environment[name] || environment[name.toLowerCase()] || undefined;
  const proxy = variable(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || isLoopback(hostOf(url))) return undefined;
  const exceptions = (variable('NO_PROXY') ?? '').split(',').map((one) => one.trim().toLowerCase());
  if (exceptions.some((one) => isExcepted(url, one))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

/** An exception is `*`, a host with all below it, `.example.com` for those below alone, an address, or a range of some. */
function isExcepted(url: URL, exception: string): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  const host = hostOf(url);
  const range = /^(.*)\/(\d+)$/.exec(exception);
  if (range) return isInRange(host, range[1] ?? '', Number(range[2]));
  // An address of IPv6 without brackets has colons, but no port.
  const whole = exception.indexOf(':') < exception.lastIndexOf(':') ? exception : '';
  const [, name = whole, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(exception) ?? [];
  const ownPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port !== undefined && port !== ownPort) return false;
  const plain = name.replace(/^\[|\]$/g, '');
  if (isIP(plain) !== 0) return plain === host;
  return plain.startsWith('.') ? host.endsWith(plain) : host === plain || host.endsWith(`.${plain}`);
}

function isInRange(host: string, network: string, bits: number): boolean {
  const type = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(host) !== isIP(network) || bits > (type === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return list.check(host, type);
}
