/** The way to admission webhooks by the options of a server. */
import type { WebhookCalls } from '../../plugins/index.js';
import { OptionError } from '../option-error.js';
import { openLine } from './admission-line.js';

/** Throws an `OptionError` where a Service has no usable address. */
export function webhookCalls(serviceAddresses: Readonly<Record<string, string>> = {}): WebhookCalls {
  const addresses = new Map(
    Object.entries(serviceAddresses).map(([service, text]) => [service, addressOf(service, text)]),
  );
  return { open: openLine, serviceAddress: (namespace, name) => addresses.get(`${namespace}/${name}`) };
}

function addressOf(service: string, text: string): URL {
  const wrong = (problem: string): OptionError =>
    new OptionError((nameOf) => `${nameOf('admission.serviceAddresses')} ${service}=${text}: ${problem}`);
  if (!/^[^/]+\/[^/]+$/.test(service)) throw wrong('a Service is named by <namespace>/<name>');
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') throw wrong('its address has to be an https URL');
  return new URL(text);
}
