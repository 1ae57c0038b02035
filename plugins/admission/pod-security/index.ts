/** PodSecurity: pods must meet the level of their namespace. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  PodSecurityJudgement,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import { fieldErrorText, joinErrors } from '../../../runtime/objects/field-error.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { notFound } from '../../../runtime/objects/status.js';
import { defineAdmissionPlugin, handlesObjects, refuse } from '../define-admission-plugin.js';
import {
  isExemptClass,
  podSecurityConfiguration,
  type Settings,
  settingsOf,
  withoutConfiguration,
} from './configuration.js';
import { toJudged, type Violation } from './control.js';
import { judgeNamespace } from './namespaces.js';
import {
  allPrivileged,
  type Mode,
  newestVersion,
  type Policy,
  policyText,
  type ReadPolicies,
  samePolicy,
  versionText,
} from './policies.js';
import { violationsText } from './standard.js';

const isNamespaces = handlesObjects('', 'namespaces', 'CREATE', 'UPDATE');
const isPods = handlesObjects('', 'pods', 'CREATE', 'UPDATE');

export function definePodSecurity(names: Naming): AdmissionPlugin {
  let settings = settingsOf(names, withoutConfiguration);
  return defineAdmissionPlugin({
    name: 'PodSecurity',
    configuration: podSecurityConfiguration,
    start(host, configuration) {
      settings = settingsOf(names, configuration, host.observer);
    },
    handles: (resource, operation, subresource) =>
      isNamespaces(resource, operation, subresource) ||
      // The subresource that adds ephemeral containers has the whole pod.
      isPods(resource, operation, subresource === 'ephemeralcontainers' ? '' : subresource) ||
      (hasPodTemplate(resource) && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')),
    validate(attributes, context) {
      const { plural } = attributes.resource.names;
      if (plural === 'namespaces') return judgeNamespace(settings, attributes, context);
      if (plural === 'pods') return judgePod(settings, attributes, context);
      judgeWorkload(settings, attributes, context);
      return undefined;
    },
  });
}

/** One write of a pod or workload, and where to report the result. */
interface Case {
  readonly settings: Settings;
  readonly attributes: AdmissionAttributes;
  readonly context: AdmissionContext;
  /** Workloads are never refused, only their pods. */
  readonly isWorkload: boolean;
}

/** Refuses a pod that breaks the enforced policy of its namespace. */
function judgePod(settings: Settings, attributes: AdmissionAttributes, context: AdmissionContext): Failure | undefined {
  const { object, oldObject, namespace, operation } = attributes;
  const one: Case = { settings, attributes, context, isWorkload: false };
  if (!object || isExempt(one)) return undefined;
  const found = context.get('', 'namespaces', '', namespace);
  if (!found) return notFound('', 'namespaces', namespace);
  const read = settings.policiesOf(found);
  if (read.errors.length === 0 && allPrivileged(read.policies)) {
    const { enforce } = read.policies;
    annotate(one, 'enforce-policy', 'privileged:latest');
    observe(one, 'enforce', enforce, 'allow');
    return undefined;
  }
  if (operation === 'UPDATE' && !isRelevantUpdate(object, oldObject)) return undefined;
  return judge(one, read, object.metadata, objectAt(object, 'spec'));
}

/** Reports that the pods of a workload would break a policy of its namespace. */
function judgeWorkload(settings: Settings, attributes: AdmissionAttributes, context: AdmissionContext): void {
  const { object, resource, namespace } = attributes;
  const one: Case = { settings, attributes, context, isWorkload: true };
  if (isExempt(one)) return;
  const found = context.get('', 'namespaces', '', namespace);
  if (!found) return;
  const read = settings.policiesOf(found);
  const { audit, warn } = read.policies;
  if (read.errors.length === 0 && audit.level === 'privileged' && warn.level === 'privileged') return;
  const template = podTemplateOf(resource, object);
  judge(one, read, objectAt(template, 'metadata'), objectAt(template, 'spec'));
}

/** Returns whether a write is exempt, and records that in the audit log. */
function isExempt(one: Case): boolean {
  const { exemptions } = one.settings;
  const { namespace, user } = one.attributes;
  if (exemptions.namespaces.has(namespace)) return exempt(one, 'namespace');
  return exemptions.usernames.has(user.name) && exempt(one, 'user');
}

function exempt(one: Case, why: string): true {
  annotate(one, 'exempt', why);
  one.settings.observer?.podSecurityExempted(subjectOf(one));
  return true;
}

function judge(
  one: Case,
  { policies, errors }: ReadPolicies,
  metadata: JsonObject | undefined,
  spec: JsonObject | undefined,
): Failure | undefined {
  if (!spec || (isExemptClass(one.settings, spec) && exempt(one, 'runtimeClass'))) return undefined;
  if (errors.length > 0) {
    annotate(one, 'error', `Failed to parse policy: ${joinErrors(errors.map(fieldErrorText))}`);
  }
  const pod = toJudged(metadata, spec);
  const judged: { readonly policy: Policy; readonly violations: readonly Violation[] }[] = [];
  // Judges equal policies once: the policies of the three modes are often equal.
  const violationsOf = (policy: Policy): readonly Violation[] => {
    const known = judged.find((other) => samePolicy(other.policy, policy));
    if (known) return known.violations;
    const violations = one.settings.judge(policy, pod);
    judged.push({ policy, violations });
    return violations;
  };
  const { enforce, audit, warn } = policies;
  const forbidden = one.isWorkload ? [] : violationsOf(enforce);
  if (!one.isWorkload) {
    annotate(one, 'enforce-policy', policyText(enforce));
    observe(one, 'enforce', enforce, forbidden.length > 0 ? 'deny' : 'allow');
  }
  const audited = violationsOf(audit);
  if (audited.length > 0) {
    annotate(one, 'audit-violations', `would ${violates(audit, audited)}`);
    observe(one, 'audit', audit, 'deny');
  }
  if (forbidden.length > 0) return refuse(one.attributes, violates(enforce, forbidden, 'violates'));
  const warned = violationsOf(warn);
  if (warned.length > 0) {
    one.context.warn(`would ${violates(warn, warned)}`);
    observe(one, 'warn', warn, 'deny');
  }
  return undefined;
}

const violates = (policy: Policy, violations: readonly Violation[], verb = 'violate'): string =>
  `${verb} PodSecurity "${policyText(policy)}": ${violationsText(violations)}`;

const annotate = ({ settings, context }: Case, key: string, value: string): void =>
  context.annotate(`${settings.prefix}${key}`, value);

const subjectOf = ({ attributes, isWorkload }: Case) => ({
  operation: attributes.operation,
  resource: isWorkload ? ('controller' as const) : ('pod' as const),
  subresource: attributes.subresource,
});

function observe(one: Case, mode: Mode, { level, version }: Policy, decision: PodSecurityJudgement['decision']): void {
  const isKnown = version <= newestVersion || version === Number.POSITIVE_INFINITY;
  one.settings.observer?.podSecurityJudged({
    ...subjectOf(one),
    mode,
    decision,
    level,
    version: isKnown ? versionText(version) : 'future',
  });
}

/** Returns whether an update changes images or adds containers. Other updates are always allowed. */
function isRelevantUpdate(object: ApiObject, oldObject: ApiObject | undefined): boolean {
  const [spec, old] = [objectAt(object, 'spec'), objectAt(oldObject, 'spec')];
  return (
    ['initContainers', 'containers'].some((list) => differ(objectsAt(spec, list), objectsAt(old, list))) ||
    hasNew(objectsAt(spec, 'ephemeralContainers'), objectsAt(old, 'ephemeralContainers'))
  );
}

const imageOf = (container: JsonObject | undefined): string => stringAt(container, 'image');

const differ = (containers: readonly JsonObject[], old: readonly JsonObject[]): boolean =>
  containers.length !== old.length || containers.some((container, i) => imageOf(container) !== imageOf(old[i]));

function hasNew(containers: readonly JsonObject[], old: readonly JsonObject[]): boolean {
  const images = new Map(old.map((container) => [stringAt(container, 'name'), imageOf(container)]));
  return containers.some((container) => images.get(stringAt(container, 'name')) !== imageOf(container));
}

const ofSpec = ['spec', 'template'];

/** The path to the pod template, by group and resource. */
const templates: ReadonlyMap<string, readonly string[]> = new Map([
  ['/podtemplates', ['template']],
  ['/replicationcontrollers', ofSpec],
  ['apps/daemonsets', ofSpec],
  ['apps/deployments', ofSpec],
  ['apps/replicasets', ofSpec],
  ['apps/statefulsets', ofSpec],
  ['batch/cronjobs', ['spec', 'jobTemplate', ...ofSpec]],
  ['batch/jobs', ofSpec],
]);

const wayTo = ({ group, names }: ResourceModule): readonly string[] | undefined =>
  templates.get(`${group}/${names.plural}`);

const hasPodTemplate = (resource: ResourceModule): boolean => wayTo(resource) !== undefined;

/** Returns the pod template of a workload, or `undefined` if it has none. */
function podTemplateOf(resource: ResourceModule, object: ApiObject | undefined): JsonObject | undefined {
  let part: JsonObject | undefined = object;
  for (const key of wayTo(resource) ?? []) part = objectAt(part, key);
  return part;
}
