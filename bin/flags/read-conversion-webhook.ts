/** Reads the flags of `kindforge conversion-webhook`. */

import { checkFolder } from '../../server/load-definitions.js';
import { readSize, readTime } from '../../server/text/limits.js';
import type { ConversionWebhookOptions, PrintedWebhook } from '../../server/webhooks/start-webhook.js';
import { FlagError, takeValue } from './flag.js';
import { readNaming } from './serve-options.js';

export interface ConversionWebhookFlags {
  readonly schemas?: string;
  readonly naming: string;
  readonly host: string;
  readonly port: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly tlsCaFile?: string;
  readonly tlsSan: readonly string[];
  readonly certDir?: string;
  readonly url?: string;
  readonly service?: string;
  readonly print?: PrintedWebhook['what'];
  readonly maxBodyBytes: string;
  readonly shutdownGrace: string;
  readonly project?: string;
}

/** Reads the flags. Throws a `FlagError` or an `OptionError` that names the flag and the rule. */
export function readWebhook(flags: ConversionWebhookFlags): Omit<ConversionWebhookOptions, 'onProblem'> {
  const { schemas, tlsCertFile: certFile, tlsPrivateKeyFile: keyFile } = flags;
  if (schemas === undefined) throw new FlagError('name the folder of your definitions with --schemas');
  checkFolder(schemas);
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new FlagError('--tls-cert-file and --tls-private-key-file go together');
  }
  return {
    schemas,
    naming: readNaming(flags.naming),
    host: flags.host,
    port: readPort(flags.port),
    certificate: {
      files: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
      authorityFile: flags.tlsCaFile,
      folder: flags.certDir,
      names: [...flags.tlsSan, ...serviceNames(flags.service)],
    },
    maxBodyBytes: takeValue('--max-body-bytes', readSize(flags.maxBodyBytes, '1Ki', '1Gi')),
    graceMs: takeValue('--shutdown-grace', readTime(flags.shutdownGrace)),
  };
}

/** Returns the document to print, if a flag asks for one. Throws a `FlagError` if the document could not be used. */
export function readPrinted(flags: ConversionWebhookFlags): PrintedWebhook | undefined {
  const { print: what, service, url } = flags;
  if (what === undefined) return undefined;
  if (flags.tlsCertFile === undefined && flags.certDir === undefined) {
    throw new FlagError(
      '--print needs --cert-dir, which keeps the certificate that the server must trust, or --tls-cert-file',
    );
  }
  if (service !== undefined && url !== undefined) throw new FlagError('give either --url or --service');
  if (service !== undefined) return { what, place: { service: readService(service) } };
  if (url !== undefined) return { what, place: { url: readUrl(url) } };
  if (readPort(flags.port) === 0) throw new FlagError('--print with --port auto needs --url or --service');
  return { what, place: undefined };
}

function readPort(text: string): number {
  if (text === 'auto') return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
  throw new FlagError(`--port ${text || '(nothing)'}: must be a port up to 65535, or auto for a free one`);
}

function readUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new FlagError(`--url ${text}: must be an HTTPS URL; write https://host/path`);
}

function readService(text: string) {
  const [, namespace, name, port = '443'] = /^([a-z0-9-]+)\/([a-z0-9-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined) {
    throw new FlagError(`--service ${text}: must be a service: write namespace/name, or namespace/name:port`);
  }
  return { namespace, name, port: Number(port) };
}

/** Returns the names under which a cluster reaches a service. */
function serviceNames(service: string | undefined): readonly string[] {
  if (service === undefined) return [];
  const { namespace, name } = readService(service);
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}
