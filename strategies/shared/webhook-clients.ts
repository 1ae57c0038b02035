/** Where webhooks are: an address or a service, and which of these are sound. */
import type { FieldError, JsonObject } from '../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { portNumberProblems } from '../../runtime/objects/network-names.js';
import { hasAt, numberAt } from './reading.js';
import { readAddress } from './webhook-address.js';

/** What is wrong with the place of a webhook; `field` is the path of its `clientConfig`. */
export function webhookClientErrors(config: JsonObject | undefined, field: string): readonly FieldError[] {
  const service = objectAt(config, 'service');
  if (hasAt(config, 'url') === (service !== undefined)) {
    return [required(field, 'exactly one of url or service is required')];
  }
  if (service !== undefined) return serviceErrors(service, `${field}.service`);
  return addressErrors(stringAt(config, 'url'), `${field}.url`);
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

function serviceErrors(service: JsonObject, field: string): readonly FieldError[] {
  const port = numberAt(service, 'port');
  // The two are taken for each other, as clients of the API know it.
  const missing = (name: string, reported: string): readonly FieldError[] =>
    stringAt(service, name) === '' ? [required(`${field}.${reported}`, `service ${reported} is required`)] : [];
  return [
    ...missing('namespace', 'name'),
    ...missing('name', 'namespace'),
    ...portNumberProblems(port).map((problem) => invalidValue(`${field}.port`, port, `port is not valid: ${problem}`)),
    ...(hasAt(service, 'path') ? pathErrors(stringAt(service, 'path'), `${field}.path`) : []),
  ];
}

/** A path begins with a slash, and each of its steps is a name; it may end with a slash. */
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
