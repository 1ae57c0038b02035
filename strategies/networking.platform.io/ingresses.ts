/** Ingress: backends, paths, hosts and certificates, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { dns1035Label, dns1123Subdomain, wildcardSubdomain } from '../../runtime/objects/dns-names.js';
import { invalidValue, required, Verbatim } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { ipNumber } from '../../runtime/objects/ip-range.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { portName, portNumberProblems } from '../../runtime/objects/network-names.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { loadBalancerErrors, loadBalancerText } from '../shared/load-balancer-status.js';
import { checkLocalReference } from '../shared/local-reference.js';
import { hasAt, integerAt, objectsAt, textsAt } from '../shared/reading.js';
import { shortened } from '../shared/shortened-list.js';

export function defineIngressStrategy({ rename }: Naming): Strategy {
  const classAnnotation = rename('platform.io/ingress.class');
  return {
    kind: 'networking.platform.io/Ingress',
    validate: (ingress, { subresource }) =>
      subresource === 'status'
        ? loadBalancerErrors(ingress)
        : [...firstErrors(checkSpec(specOf(ingress))), ...classErrors(ingress, classAnnotation)],
    cell: (ingress, column) => cells.get(column)?.(ingress),
  };
}

const specOf = (ingress: ApiObject): JsonObject => objectAt(ingress, 'spec') ?? {};

function* checkSpec(spec: JsonObject): FieldErrors {
  const backend = objectAt(spec, 'defaultBackend');
  const rules = objectsAt(spec, 'rules');
  if (rules.length === 0 && !backend) {
    yield invalidValue(
      'spec',
      new Verbatim('[]networking.IngressRule(nil)'),
      'either `defaultBackend` or `rules` must be specified',
    );
  }
  if (backend) yield* checkBackend(backend, 'spec.defaultBackend');
  for (const [i, rule] of rules.entries()) yield* checkRule(rule, `spec.rules[${i}]`);
  for (const [i, tls] of objectsAt(spec, 'tls').entries()) yield* checkTls(tls, `spec.tls[${i}]`);
  if (hasAt(spec, 'ingressClassName')) {
    yield* checkText('spec.ingressClassName', stringAt(spec, 'ingressClassName'), dns1123Subdomain);
  }
}

/** Only a new Ingress is held to what its annotation says; those that exist may disagree with it. */
function classErrors(ingress: ApiObject, annotation: string): FieldError[] {
  const annotated = ingress.metadata.annotations?.[annotation];
  const named = specOf(ingress).ingressClassName;
  const isNew = !ingress.metadata.resourceVersion;
  if (!isNew || annotated === undefined || typeof named !== 'string' || annotated === named) return [];
  return [
    invalidValue(`annotations.${annotation}`, annotated, 'must match `ingressClassName` when both are specified'),
  ];
}

function* checkHost(host: string, path: string): FieldErrors {
  yield* checkText(path, host, host.includes('*') ? wildcardSubdomain : dns1123Subdomain);
}

function* checkRule(rule: JsonObject, path: string): FieldErrors {
  const host = stringAt(rule, 'host');
  if (host !== '' && ipNumber(host)) {
    yield invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address');
  }
  if (host !== '') yield* checkHost(host, `${path}.host`);
  for (const [i, entry] of objectsAt(objectAt(rule, 'http'), 'paths').entries()) {
    yield* checkPath(entry, `${path}.http.paths[${i}]`);
  }
}

const notInPaths = ['//', '/./', '/../', '%2f', '%2F'] as const;
const notAtEnd = ['/..', '/.'] as const;

function* checkPath(entry: JsonObject, at: string): FieldErrors {
  const type = stringAt(entry, 'pathType');
  const path = stringAt(entry, 'path');
  // Without a type nothing else is looked at.
  if (type === '') return;
  const isStrict = type === 'Exact' || type === 'Prefix';
  const mayBeEmpty = !isStrict && path === '';
  if (!path.startsWith('/') && !mayBeEmpty) yield invalidValue(`${at}.path`, path, 'must be an absolute path');
  for (const part of isStrict ? notInPaths : []) {
    if (path.includes(part)) yield invalidValue(`${at}.path`, path, `must not contain '${part}'`);
  }
  for (const end of isStrict ? notAtEnd : []) {
    if (path.endsWith(end)) yield invalidValue(`${at}.path`, path, `cannot end with '${end}'`);
  }
  yield* checkBackend(objectAt(entry, 'backend') ?? {}, `${at}.backend`);
}

function* checkBackend(backend: JsonObject, path: string): FieldErrors {
  const service = objectAt(backend, 'service');
  const resource = objectAt(backend, 'resource');
  if (service && resource) yield invalidValue(path, '', 'cannot set both resource and service backends');
  else if (resource) yield* checkLocalReference(resource, `${path}.resource`);
  else if (service) yield* checkService(service, path);
  else yield invalidValue(path, '', 'resource or service backend is required');
}

function* checkService(service: JsonObject, path: string): FieldErrors {
  const name = stringAt(service, 'name');
  if (name === '') yield required(`${path}.service.name`);
  else yield* checkText(`${path}.service.name`, name, dns1035Label);
  const port = objectAt(service, 'port');
  const portNamed = stringAt(port, 'name');
  const number = integerAt(port, 'number') ?? 0;
  if (portNamed !== '' && number !== 0) yield invalidValue(path, '', 'cannot set both port name & port number');
  else if (portNamed !== '') yield* checkText(`${path}.service.port.name`, portNamed, portName);
  else if (number === 0) yield required(path, 'port name or number is required');
  else {
    for (const problem of portNumberProblems(number))
      yield invalidValue(`${path}.service.port.number`, number, problem);
  }
}

function* checkTls(tls: JsonObject, path: string): FieldErrors {
  for (const [i, host] of textsAt(tls, 'hosts').entries()) yield* checkHost(host, `${path}.hosts[${i}]`);
  const secret = stringAt(tls, 'secretName');
  if (secret !== '') yield* checkText(`${path}.secretName`, secret, dns1123Subdomain);
}

const cells: ReadonlyMap<string, (ingress: ApiObject) => string> = new Map([
  ['Class', (ingress: ApiObject) => stringAt(specOf(ingress), 'ingressClassName') || '<none>'],
  ['Hosts', hostText],
  ['Address', loadBalancerText],
  ['Ports', (ingress: ApiObject) => (objectsAt(specOf(ingress), 'tls').length > 0 ? '80, 443' : '80')],
]);

function hostText(ingress: ApiObject): string {
  const hosts = objectsAt(specOf(ingress), 'rules').map((rule) => stringAt(rule, 'host'));
  return shortened(hosts.filter((host) => host !== '')) || '*';
}
