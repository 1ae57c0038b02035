/** The address of a webhook: a URL or a service. */
import type { ServiceReference, WebhookClientConfig } from '../../generated/types/admissionregistration/v1/types.js';
import { parseUrl } from '../../runtime/cel/library/url-text.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { portNumberProblems } from '../../runtime/objects/names/network-names.js';

/** Checks the address of a webhook; `field` is the path of its `clientConfig`. */
export function webhookClientErrors(
  { url, service }: Draft<WebhookClientConfig> = {},
  field: string,
): readonly FieldError[] {
  if (url !== undefined && service === undefined) return addressErrors(url, `${field}.url`);
  if (url === undefined && service !== undefined) return serviceErrors(service, `${field}.service`);
  return [required(field, 'exactly one of url or service is required')];
}

const desiredForm = '; desired format: https://host[/path]';

function addressErrors(url: string, field: string): readonly FieldError[] {
  const address = readAddress(url);
  if (typeof address === 'string') return [required(field, `url must be a valid URL: ${address}${desiredForm}`)];
  const { scheme, host, user, query, fragment } = address;
  const without = (value: string, what: string): readonly FieldError[] =>
    value === '' ? [] : [invalidValue(field, value, `${what} not permitted in the URL`)];
  return [
    ...(scheme === 'https'
      ? []
      : [invalidValue(field, scheme, `'https' is the only allowed URL scheme${desiredForm}`)]),
    ...(host === '' ? [invalidValue(field, host, `host must be specified${desiredForm}`)] : []),
    ...without(user, 'user information is'),
    ...without(fragment, 'fragments are'),
    ...without(query, 'query parameters are'),
  ];
}

function serviceErrors(service: Draft<ServiceReference>, field: string): readonly FieldError[] {
  const { name, namespace, path, port = 0 } = service;
  const missing = (reported: string): FieldError => required(`${field}.${reported}`, `service ${reported} is required`);
  return [
    // As in the reference, the two names are swapped.
    ...(namespace ? [] : [missing('name')]),
    ...(name ? [] : [missing('namespace')]),
    ...portNumberProblems(port).map((problem) => invalidValue(`${field}.port`, port, `port is not valid: ${problem}`)),
    ...(path === undefined ? [] : pathErrors(path, `${field}.path`)),
  ];
}

/** A path begins with a slash, and each step is a name; it may end with a slash. */
function pathErrors(path: string, field: string): readonly FieldError[] {
  if (path === '/' || path === '') return [];
  if (path === '//') return [invalidValue(field, path, 'segment[0] may not be empty')];
  const errors = path.startsWith('/') ? [] : [invalidValue(field, path, "must start with a '/'")];
  const steps = (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
  return [
    ...errors,
    ...steps.flatMap((step, i) => {
      if (step === '') return [invalidValue(field, path, `segment[${i}] may not be empty`)];
      return dns1123Subdomain(step).map((problem) => invalidValue(field, path, `segment[${i}]: ${problem}`));
    }),
  ];
}

/** The parts of a URL that rules look at; empty if missing. */
interface Address {
  readonly scheme: string;
  readonly host: string;
  /** The user part, percent-encoded. */
  readonly user: string;
  readonly query: string;
  readonly fragment: string;
}

/** Reads a URL, or returns why it is malformed. */
function readAddress(text: string): Address | string {
  const hash = text.indexOf('#');
  const url = hash === -1 ? text : text.slice(0, hash);
  const fragment = hash === -1 ? '' : text.slice(hash + 1);
  const hasScheme = /^([A-Za-z][A-Za-z0-9+.-]*)?:/.test(url);
  // Without a scheme, the URL is only a path: unusable, but not malformed.
  if (!hasScheme) return { scheme: '', host: '', user: '', query: url.split('?', 2)[1] ?? '', fragment };
  const parsed = parseUrl(url);
  if (typeof parsed === 'string') return parsed;
  const user = /^[^:]*:\/\/([^/?]*)@/.exec(url)?.[1] ?? '';
  return { scheme: parsed.scheme, host: parsed.host, user, query: parsed.query, fragment };
}
