/** Pod security of namespaces: labels must be valid, and a new policy warns about pods that already break it. */
import type {
  AdmissionAnswer,
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
} from '../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../runtime/objects/field-error.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { byCodePoint, quote } from '../../../runtime/objects/printing.js';
import { invalid } from '../../../runtime/objects/status.js';
import { inTurns, type Steps } from '../../../runtime/objects/turns.js';
import { isExemptClass, type Settings } from './configuration.js';
import { toJudged } from './control.js';
import {
  allPrivileged,
  equivalent,
  isStricter,
  modes,
  type Policy,
  policyText,
  type ReadPolicies,
  samePolicy,
} from './policies.js';
import { reasonsText } from './standard.js';

export function judgeNamespace(
  settings: Settings,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): AdmissionAnswer {
  const { object, oldObject, operation } = attributes;
  if (!object) return undefined;
  const read = settings.policiesOf(object);
  const old = operation === 'UPDATE' && oldObject ? settings.policiesOf(oldObject) : undefined;
  if (read.errors.length > 0 && !(old && sameErrors(read, old))) return refuseLabels(attributes, read);
  const name = attributes.name || object.metadata.name || '';
  const { enforce } = read.policies;
  if (old && !needsLook(enforce, old.policies.enforce)) return undefined;
  if (settings.exemptions.namespaces.has(name)) {
    const ignored = ignoredPolicies(settings, object, read);
    if (ignored !== '') {
      context.warn(`namespace "${name}" is exempt from Pod Security, and the policy (${ignored}) will be ignored`);
    }
    return undefined;
  }
  return old && warnOfExisting(settings, name, enforce, context);
}

/** Compares errors: errors that existed before do not block other changes of a namespace. */
const sameErrors = (a: ReadPolicies, b: ReadPolicies): boolean =>
  a.errors.map(fieldErrorText).join('\n') === b.errors.map(fieldErrorText).join('\n');

function refuseLabels({ resource, name, object }: AdmissionAttributes, { errors }: ReadPolicies): Failure {
  return invalid(resource.group, resource.names.kind, name || (object?.metadata.name ?? ''), errors);
}

/**
 * Returns whether pods that met the old policy may break the new one. They cannot if the new one only asks for less.
 */
const needsLook = (policy: Policy, old: Policy): boolean =>
  policy.level !== 'privileged' &&
  !samePolicy(policy, old) &&
  (policy.version !== old.version || isStricter(policy.level, old.level));

/** Returns the policies that labels set without effect, as in `enforce=baseline:latest, warn=restricted:v1.27`. */
function ignoredPolicies({ prefix, defaults }: Settings, object: ApiObject, { policies }: ReadPolicies): string {
  if (allPrivileged(policies) || equivalent(policies, defaults)) return '';
  const labels = objectAt(object.metadata, 'labels') ?? {};
  const asked = modes.filter(
    (mode) =>
      policies[mode].level !== 'privileged' &&
      [mode, `${mode}-version`].some((label) => Object.hasOwn(labels, `${prefix}${label}`)),
  );
  return asked.map((mode) => `${mode}=${policyText(policies[mode])}`).join(', ');
}

function warnOfExisting(
  settings: Settings,
  namespace: string,
  policy: Policy,
  context: AdmissionContext,
): AdmissionAnswer {
  const pods = context.list('', 'pods', namespace);
  const warnings = inTurns(warningsOfExisting(settings, namespace, policy, pods, context.timeLeft?.()));
  const tell = (texts: readonly string[]): undefined => {
    for (const text of texts) context.warn(text);
    return undefined;
  };
  return warnings instanceof Promise ? warnings.then(tell) : tell(warnings);
}

/** The most pods that are checked. */
const most = 3000;
/** How long the check may take, milliseconds. */
const longest = 1000;

/** Yields warnings about pods that break a policy. Pods with the same violations share one. */
function* warningsOfExisting(
  settings: Settings,
  namespace: string,
  policy: Policy,
  pods: Iterable<ApiObject>,
  timeLeft = Number.POSITIVE_INFINITY,
): Steps<readonly string[]> {
  const ordered = yield* inOrder(settings, pods);
  const until = Date.now() + Math.min(longest, timeLeft / 2);
  const byReasons = new Map<string, string[]>();
  let looked = 0;
  for (const { metadata, spec } of ordered.slice(0, most)) {
    const reasons = reasonsText(settings.judge(policy, toJudged(metadata, spec)));
    if (reasons !== '') byReasons.set(reasons, [...(byReasons.get(reasons) ?? []), metadata.name ?? '']);
    looked++;
    yield;
    if (Date.now() > until) break;
  }
  const of = `${looked} of ${ordered.length} existing pods`;
  const found = `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level`;
  return [
    ...(looked < ordered.length ? [`new PodSecurity enforce level only checked against the first ${of}`] : []),
    ...(byReasons.size > 0 ? [`${found} ${quote(policyText(policy))}`] : []),
    ...[...byReasons].map(([reasons, names]) => `${podsText(names)}: ${reasons}`).sort(byCodePoint),
  ];
}

interface ExistingPod {
  readonly metadata: ApiObject['metadata'];
  readonly spec: NonNullable<ReturnType<typeof objectAt>>;
}

/** Sorts pods: the first pod of each controller comes first, because its other pods are probably the same. */
function* inOrder(settings: Settings, pods: Iterable<ApiObject>): Steps<readonly ExistingPod[]> {
  const [first, others]: [ExistingPod[], ExistingPod[]] = [[], []];
  const controllers = new Set<string>();
  for (const pod of pods) {
    yield;
    const spec = objectAt(pod, 'spec');
    if (!spec || isExemptClass(settings, spec)) continue;
    const controller = controllerOf(pod);
    const list = controller !== '' && controllers.has(controller) ? others : first;
    controllers.add(controller);
    list.push({ metadata: pod.metadata, spec });
  }
  return [...first, ...others];
}

const controllerOf = ({ metadata }: ApiObject): string =>
  stringAt(
    objectsAt(metadata, 'ownerReferences').find(({ controller }) => controller === true),
    'uid',
  );

/** Returns the pods as in `a (and 2 other pods)`, with the first by name. */
function podsText(names: readonly string[]): string {
  const [first = ''] = [...names].sort(byCodePoint);
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
