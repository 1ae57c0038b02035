/** Starts a webhook that converts objects of definitions, for servers that are told of it. */
import { defineConverter } from '../../../runtime/server/index.js';
import { builtinKinds } from '../../builtin-kinds.js';
import { namingIn } from '../../check-options.js';
import { type LoadedModules, loadModules } from '../../load-definitions.js';
import { OptionError } from '../../option-error.js';
import type { StartOptions } from '../../options.js';
import { watchFiles } from '../../transport/reloaded.js';
import { openWebhookCertificate, type WebhookCertificateOptions } from './certificate.js';
import { convertPath, serveReviews } from './http-server.js';
import { type Printed, type PrintOptions, printForServer, type WebhookPlace } from './printed.js';
import { answerReview } from './review.js';

export interface ConversionWebhookOptions extends Pick<StartOptions, 'naming'> {
  /** Folder of the definitions. */
  readonly schemas: string;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly certificate: Omit<WebhookCertificateOptions, 'host'>;
  /** Bytes of a review. */
  readonly maxBodyBytes: number;
  readonly graceMs: number;
  /** Is told of every review that is refused or fails. */
  readonly onProblem: (problem: string) => void;
}

export interface RunningConversionWebhook {
  /** Where reviews are posted to. */
  readonly url: string;
  /** The authorities that clients have to trust, in PEM; absent where they are not known. */
  readonly authority: string | undefined;
  /** The kinds that it converts, as `timers.kitchen.example.com`. */
  readonly resources: readonly string[];
  stop(): Promise<void>;
}

/** Rejects where the definitions have mistakes, a file cannot be used, or the address cannot be had. */
export async function startConversionWebhook(options: ConversionWebhookOptions): Promise<RunningConversionWebhook> {
  const { host, schemas, onProblem } = options;
  const naming = namingIn(options);
  const { modules, definitions } = await loadModules(schemas);
  const convert = defineConverter({ ...builtinKinds(naming), modules, naming });
  const { certificate, authority } = openWebhookCertificate({ ...options.certificate, host });
  const listening = await serveReviews({
    ...options,
    certificate: certificate.current(),
    answer: (body) => answerReview(body, convert),
  }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new OptionError(() => `cannot listen on ${host} port ${options.port}: ${message}`, { cause: error });
  });
  const unfollow = watchFiles([certificate], () => listening.useCertificate(certificate.current()), onProblem);
  return {
    url: urlOf(host, listening.port),
    authority,
    resources: namesOf(definitions),
    stop: () => {
      unfollow();
      return listening.stop();
    },
  };
}

/** The document to print, and the address of the webhook: the one that it listens on where absent. */
export interface PrintedWebhook extends Pick<PrintOptions, 'what'> {
  readonly place: WebhookPlace | undefined;
}

/** The definitions or patches that tell a server of the webhook, in YAML. Rejects as a start does. */
export async function printConversionWebhook(
  options: Pick<ConversionWebhookOptions, 'naming' | 'schemas' | 'host' | 'port' | 'certificate'> & PrintedWebhook,
): Promise<Printed> {
  const { schemas, host, port, what, place = { url: urlOf(host, port) } } = options;
  const { definitions } = await loadModules(schemas);
  const { authority } = openWebhookCertificate({ ...options.certificate, host });
  return printForServer(definitions.model.resources, {
    place,
    authority,
    what,
    naming: namingIn(options),
    path: convertPath,
  });
}

const namesOf = ({ model }: LoadedModules['definitions']): readonly string[] =>
  model.resources.map(({ names, group }) => (group === '' ? names.plural : `${names.plural}.${group}`));

/** An address that the certificate is for: where it listens on all of them, the machine knows itself by name. */
function urlOf(host: string, port: number): string {
  const told = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host;
  return `https://${told.includes(':') ? `[${told}]` : told}:${port}${convertPath}`;
}
