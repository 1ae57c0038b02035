/** Ingress: backends, paths, hosts, certificates, and its columns. */
import { defineIngressHandlers } from '../../generated/networking.platform.io/v1/ingresses/handlers.js';
import type { Ingress } from '../../generated/networking.platform.io/v1/ingresses/types.js';
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
} from '../../generated/types/networking/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required, Verbatim } from '../../runtime/objects/field-error.js';
import { ipNumber } from '../../runtime/objects/ip-address.js';
import { dns1035Label, dns1123Subdomain, wildcardSubdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { portName, portNumberProblems } from '../../runtime/objects/names/network-names.js';
import { quote } from '../../runtime/objects/printing.js';
import { loadBalancerErrors, loadBalancerText } from '../shared/addresses.js';
import { checkName, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkLocalReference } from '../shared/names.js';
import { shortened } from '../shared/printed-values.js';

const ofPaths = 'spec.rules[].http.paths';

const checkedFields = [
  ...['spec.defaultBackend', 'spec.rules[].host', `${ofPaths}[].path`, `${ofPaths}[].pathType`, `${ofPaths}[].backend`],
  ...['spec.rules', 'spec.tls', 'spec.ingressClassName'],
];

export function defineIngresses({ rename }: Naming): KindHandlers {
  const classAnnotation = rename('platform.io/ingress.class');
  return defineIngressHandlers({
    errorOrder: checkedFields,
    updateChecks: ['metadata changes', 'metadata', 'fields'],
    validate: (ingress, { subresource }) =>
      subresource === 'status'
        ? loadBalancerErrors(ingress.status?.loadBalancer?.ingress)
        : [...firstErrors(checkSpec(ingress.spec ?? {})), ...classErrors(ingress, classAnnotation)],
    // The annotation was replaced by a field. Warn only when it is added.
    warn: ({ metadata: { annotations = {} }, spec }, old) =>
      old === undefined && Object.hasOwn(annotations, classAnnotation) && spec?.ingressClassName === undefined
        ? [`annotation ${quote(classAnnotation)} is deprecated, please use 'spec.ingressClassName' instead`]
        : [],
    columns: {
      Class: ({ spec }) => spec?.ingressClassName || '<none>',
      Hosts: ({ spec }) => shortened(spec?.rules?.flatMap(({ host }) => host || []) ?? []) || '*',
      Address: ({ status }) => loadBalancerText(status?.loadBalancer?.ingress),
      Ports: ({ spec }) => (spec?.tls?.length ? '80, 443' : '80'),
    },
  });
}

/** An ingress has a rule or a default backend. */
function* checkSpec({ defaultBackend, rules = [], tls = [], ingressClassName }: Draft<IngressSpec>): FieldErrors {
  if (rules.length === 0 && !defaultBackend) {
    const none = new Verbatim('[]networking.IngressRule(nil)');
    yield invalidValue('spec', none, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend) yield* checkBackend(defaultBackend, 'spec.defaultBackend');
  for (const [i, rule] of rules.entries()) yield* checkRule(rule, `spec.rules[${i}]`);
  for (const [i, certificate] of tls.entries()) yield* checkTls(certificate, `spec.tls[${i}]`);
  if (ingressClassName !== undefined) yield* checkText('spec.ingressClassName', ingressClassName, dns1123Subdomain);
}

/** In a new ingress, the class and the older annotation agree; stored ones may differ. */
function classErrors({ metadata, spec }: DraftObject<Ingress>, annotation: string): readonly FieldError[] {
  const annotated = metadata.annotations?.[annotation];
  const named = spec?.ingressClassName;
  if (metadata.resourceVersion || annotated === undefined || named === undefined || annotated === named) return [];
  return [
    invalidValue(`annotations.${annotation}`, annotated, 'must match `ingressClassName` when both are specified'),
  ];
}

/** A host is a DNS name, with an optional wildcard as its first part. */
const checkHost = (host: string, path: string): FieldErrors =>
  checkText(path, host, host.includes('*') ? wildcardSubdomain : dns1123Subdomain);

function* checkRule({ host, http }: Draft<IngressRule>, path: string): FieldErrors {
  if (host && ipNumber(host)) yield invalidValue(`${path}.host`, host, 'must be a DNS name, not an IP address');
  if (host) yield* checkHost(host, `${path}.host`);
  for (const [i, entry] of (http?.paths ?? []).entries()) yield* checkPath(entry, `${path}.http.paths[${i}]`);
}

const notInPaths = ['//', '/./', '/../', '%2f', '%2F'];
const notAtEnd = ['/..', '/.'];

/** A path is absolute, and canonical unless the implementation decides. Without a type nothing else is checked. */
function* checkPath({ pathType: type, path = '', backend = {} }: Draft<HTTPIngressPath>, at: string): FieldErrors {
  if (!type) return;
  const isStrict = type === 'Exact' || type === 'Prefix';
  // Nobody knows what a path of an unknown type may be.
  const mayBeAnything = !isStrict && (path === '' || type !== 'ImplementationSpecific');
  if (!path.startsWith('/') && !mayBeAnything) yield invalidValue(`${at}.path`, path, 'must be an absolute path');
  for (const part of isStrict ? notInPaths : []) {
    if (path.includes(part)) yield invalidValue(`${at}.path`, path, `must not contain '${part}'`);
  }
  for (const end of isStrict ? notAtEnd : []) {
    if (path.endsWith(end)) yield invalidValue(`${at}.path`, path, `cannot end with '${end}'`);
  }
  yield* checkBackend(backend, `${at}.backend`);
}

/** A backend is a service or another object, not both. */
function* checkBackend({ service, resource }: Draft<IngressBackend>, path: string): FieldErrors {
  if (service && resource) yield invalidValue(path, '', 'cannot set both resource and service backends');
  else if (resource) yield* checkLocalReference(resource, `${path}.resource`);
  else if (service) yield* checkService(service, path);
  else yield invalidValue(path, '', 'resource or service backend is required');
}

/** A service backend has a name and one port, by name or number. */
function* checkService({ name = '', port = {} }: Draft<IngressServiceBackend>, path: string): FieldErrors {
  const { name: named, number = 0 } = port;
  yield* checkName(`${path}.service.name`, name, dns1035Label);
  if (named && number !== 0) yield invalidValue(path, '', 'cannot set both port name & port number');
  else if (named) yield* checkText(`${path}.service.port.name`, named, portName);
  else if (number === 0) yield required(path, 'port name or number is required');
  else {
    for (const problem of portNumberProblems(number)) {
      yield invalidValue(`${path}.service.port.number`, number, problem);
    }
  }
}

function* checkTls({ hosts = [], secretName }: Draft<IngressTLS>, path: string): FieldErrors {
  for (const [i, host] of hosts.entries()) yield* checkHost(host, `${path}.hosts[${i}]`);
  if (secretName) yield* checkText(`${path}.secretName`, secretName, dns1123Subdomain);
}
