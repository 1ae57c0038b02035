/** Opens webhooks with the addresses in a server's options and the credentials in files of plugins. */
import type { WebhookCalls } from '../../plugins/index.js';
import type { WebhookAddress, WebhookLine } from '../../runtime/contract/index.js';
import { OptionError } from '../option-error.js';
import { type CredentialsFile, readCredentials } from './credentials.js';
import { HttpsLine } from './line.js';
import type { OutgoingCalls } from './outgoing-calls.js';
import { postTo, usualRetries } from './post-json.js';
import { followed, readTrustedConnection } from './webhook-file.js';

/** The size limits of answers, bytes. A patch may hold an object of the largest size, in base64. */
const mostOfReview = 8 * 1024 * 1024;
/** One conversion has many objects. */
const mostOfConversion = 64 * 1024 * 1024;

export interface OpenedWebhookCalls extends Omit<WebhookCalls, 'areAsked'> {
  /** Opens a conversion webhook, with the credentials from all files. */
  readonly openConversion: (address: WebhookAddress) => WebhookLine;
}

/** Throws an `OptionError` if a Service has no usable address. */
export function webhookCalls(
  calls: OutgoingCalls,
  serviceAddresses: Readonly<Record<string, string>> = {},
  onProblem: (problem: string) => void = () => {},
): OpenedWebhookCalls {
  const serviceAddress = readServiceAddresses(serviceAddresses);
  const files = new Map<string, () => CredentialsFile>();
  const credentialsIn = (file: string): (() => CredentialsFile) => {
    const known = files.get(file) ?? followed(() => readCredentials(file), onProblem);
    files.set(file, known);
    return known;
  };
  return {
    open(address, file) {
      const credentials = file === undefined ? [] : [credentialsIn(file)];
      return new HttpsLine(address, {
        calls,
        serviceAddress,
        credentials: () => credentials.map((read) => read()),
        mostBytes: mostOfReview,
      });
    },
    openConversion: (address) =>
      new HttpsLine(address, {
        calls,
        serviceAddress,
        credentials: () => [...files.values()].map((read) => read()),
        mostBytes: mostOfConversion,
      }),
    checkCredentials: (file) => problemOf(() => credentialsIn(file)),
    connect: (file, firstMs) =>
      postTo(
        calls,
        followed(() => readTrustedConnection(file), onProblem),
        { ...usualRetries, firstMs },
      ),
    checkConnection: (file) => problemOf(() => readTrustedConnection(file)),
  };
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns a function that finds the address of a Service. Throws an `OptionError` if an address is invalid. */
export function readServiceAddresses(
  given: Readonly<Record<string, string>> = {},
): (namespace: string, name: string) => URL | undefined {
  const addresses = new Map(Object.entries(given).map(([service, text]) => [service, addressOf(service, text)]));
  return (namespace, name) => addresses.get(`${namespace}/${name}`);
}

function addressOf(service: string, text: string): URL {
  const wrong = (problem: string): OptionError =>
    new OptionError((nameOf) => `${nameOf('admission.serviceAddresses')} ${service}=${text}: ${problem}`);
  if (!/^[^/]+\/[^/]+$/.test(service)) throw wrong('must begin with the <namespace>/<name> of a Service');
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') throw wrong('must have an https URL as its address');
  return new URL(text);
}
