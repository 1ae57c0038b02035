/** Starts a webhook that converts objects of definitions for other servers. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyseFolder } from '../../generator/check/load-definitions.js';
import { toCustomResource } from '../../generator/emit/custom-resource.js';
import { printDefinition } from '../../generator/import/index.js';
import { folderOfTexts } from '../../generator/load/load-folder.js';
import type { ResourceModel } from '../../generator/model/model.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { defineConverter, type ServerCertificate } from '../../runtime/server/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { namingIn } from '../check-options.js';
import { type LoadedModules, loadModules } from '../load-definitions.js';
import { OptionError } from '../option-error.js';
import type { StartOptions } from '../options.js';
import { openCertificate } from '../transport/certificate-files.js';
import { makeOwnCertificates, serverNames } from '../transport/own-certificates.js';
import { constant, type Reloaded, watchFiles } from '../transport/reloaded.js';
import type { CertificateFiles } from '../transport/tls-option.js';
import { answerReview } from './webhook-review.js';
import { convertPath, serveReviews } from './webhook-server.js';

export interface ConversionWebhookOptions extends Pick<StartOptions, 'naming'> {
  /** The folder of the definitions. */
  readonly schemas: string;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly certificate: Omit<WebhookCertificateOptions, 'host'>;
  /** The size limit of a review in bytes. */
  readonly maxBodyBytes: number;
  readonly graceMs: number;
  /** Reports every refused or failed review. */
  readonly onProblem: (problem: string) => void;
}

export interface RunningConversionWebhook {
  /** The URL for reviews. */
  readonly url: string;
  /** The authorities that clients must trust, in PEM; absent if they are not known. */
  readonly authority: string | undefined;
  /** The kinds that it converts, as `timers.kitchen.example.com`. */
  readonly resources: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts the webhook. Rejects if the definitions have mistakes, a file cannot be used, or the address is not available.
 */
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

/** The document to print, and the address of the webhook; by default the address that it listens on. */
export interface PrintedWebhook extends Pick<PrintOptions, 'what'> {
  readonly place: WebhookPlace | undefined;
}

/**
 * Prints the definitions or patches that point a server to the webhook, in YAML. Rejects as `startConversionWebhook`
 * does.
 */
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

/** Returns an address that is in the certificate. For the wildcard address, this is the name of the machine. */
function urlOf(host: string, port: number): string {
  const told = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host;
  return `https://${told.includes(':') ? `[${told}]` : told}:${port}${convertPath}`;
}

interface WebhookCertificateOptions {
  /** Files of the certificate and its key. */
  readonly files?: CertificateFiles | undefined;
  /** File of the authority that signed the certificate; absent if everybody trusts this authority. */
  readonly authorityFile?: string | undefined;
  /**
   * The folder that keeps the authority of the webhook's own certificates, so that clients trust it after a restart,
   * too.
   */
  readonly folder?: string | undefined;
  /** The address that it listens on. */
  readonly host: string;
  /** More names by which clients reach it. */
  readonly names: readonly string[];
}

interface WebhookCertificate {
  readonly certificate: Reloaded<ServerCertificate>;
  /** The authorities that clients must trust, in PEM; absent if they are not known. */
  readonly authority: string | undefined;
}

/** Throws an `OptionError` if a file cannot be used. */
function openWebhookCertificate(options: WebhookCertificateOptions): WebhookCertificate {
  const { files, authorityFile, folder, host, names } = options;
  if (files) {
    const option = { cert: 'tls.certificate.certFile', key: 'tls.certificate.keyFile' } as const;
    const authority = authorityFile === undefined ? undefined : readAuthority(authorityFile);
    return { certificate: openCertificate(files, option), authority };
  }
  const { secret, kept } = folder === undefined ? { secret: undefined, kept: undefined } : keptAuthority(folder);
  const all = serverNames({ host, names, addresses: [] });
  const { serving, authority } = makeOwnCertificates({ secret, kept, names: all, now: Date.now() });
  if (folder !== undefined) writeFileSync(join(folder, authorityName), authority, { mode: 0o644 });
  return { certificate: constant(serving), authority };
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new OptionError(() => `the authority ${path} cannot be read: ${message}`, { cause: error });
  }
}

const authorityName = 'ca.crt';
const secretName = 'ca.secret';

/** Returns the secret for the authority's key from a folder. Creates it the first time. */
function keptAuthority(folder: string): { readonly secret: Uint8Array; readonly kept: string | undefined } {
  mkdirSync(folder, { recursive: true });
  const secretFile = join(folder, secretName);
  // Two processes that start at the same time must not create two secrets.
  if (!existsSync(secretFile)) writeFileSync(secretFile, randomBytes(32), { mode: 0o600, flag: 'wx' });
  const authorityFile = join(folder, authorityName);
  const kept = existsSync(authorityFile) ? readFileSync(authorityFile, 'utf8') : undefined;
  return { secret: readFileSync(secretFile), kept };
}

/** How a server reaches the webhook. */
type WebhookPlace =
  | { readonly url: string }
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } };

interface PrintOptions {
  readonly place: WebhookPlace;
  /** In PEM; absent if everybody trusts the certificate. */
  readonly authority: string | undefined;
  readonly naming: Naming;
  readonly path: string;
  /** `crd`: whole definitions. `patch`: a merge patch of each one's conversion. */
  readonly what: 'crd' | 'patch';
}

interface Printed {
  readonly text: string;
  /** The settings that a CustomResourceDefinition cannot express. */
  readonly warnings: readonly string[];
}

/** Prints one YAML document for each resource. */
export function printForServer(resources: readonly ResourceModel[], options: PrintOptions): Printed {
  const { naming, what } = options;
  const conversion = conversionOf(options);
  const apiVersion = `${naming.rename('apiextensions.platform.io')}/v1`;
  const warnings: string[] = [];
  const documents: JsonObject[] = [];
  for (const resource of resources) {
    const exported = toCustomResource(resource, { apiVersion, conversion });
    if (!exported.ok) {
      warnings.push(`${exported.problem}, which a CustomResourceDefinition cannot express`);
      continue;
    }
    const { definition, leftOut } = exported;
    if (what === 'patch') {
      const { kind, metadata } = definition;
      documents.push({ apiVersion, kind, metadata, spec: { conversion } });
      continue;
    }
    documents.push(definition);
    warnings.push(...mistakesIn(definition).map((mistake) => `servers refuse ${definition.metadata.name}: ${mistake}`));
    for (const each of leftOut) warnings.push(`${resource.names.plural}.${resource.group}: ${each} is left out`);
  }
  return { text: documents.map(printDefinition).join('---\n'), warnings };
}

/** Checks the rules of CustomResourceDefinitions that a native definition need not follow. */
function mistakesIn(definition: JsonObject): readonly string[] {
  const { diagnostics } = analyseFolder(folderOfTexts([{ path: 'crd.yaml', text: printDefinition(definition) }]));
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

function conversionOf({ place, authority, path }: PrintOptions): JsonObject {
  const trusted = authority === undefined ? {} : { caBundle: Buffer.from(authority).toString('base64') };
  const clientConfig =
    'url' in place ? { url: place.url, ...trusted } : { service: { ...place.service, path }, ...trusted };
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}
