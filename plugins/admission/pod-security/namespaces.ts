/** Pod security of namespaces: labels make sense, and new policies tell of pods that break them already. */
import type {
  AdmissionAnswer,
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
} from '../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../runtime/objects/field-error.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { invalid } from '../../../runtime/objects/status.js';
import { inTurns } from '../../../runtime/objects/turns.js';
import { warningsOfExisting } from './existing-pods.js';
import { isStricter, type Policy, policyText, samePolicy } from './level.js';
import { allPrivileged, equivalent, modes, type ReadPolicies } from './policies.js';
import type { Settings } from './settings.js';

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

/** Errors that were there before do not keep other changes of a namespace from being made. */
const sameErrors = (a: ReadPolicies, b: ReadPolicies): boolean =>
  a.errors.map(fieldErrorText).join('\n') === b.errors.map(fieldErrorText).join('\n');

function refuseLabels({ resource, name, object }: AdmissionAttributes, { errors }: ReadPolicies): Failure {
  return invalid(resource.group, resource.names.kind, name || (object?.metadata.name ?? ''), errors);
}

/** Pods that kept the old policy may break a new one, unless it only asks for less. */
const needsLook = (policy: Policy, old: Policy): boolean =>
  policy.level !== 'privileged' &&
  !samePolicy(policy, old) &&
  (policy.version !== old.version || isStricter(policy.level, old.level));

/** The policies that labels ask for in vain, as in `enforce=baseline:latest, warn=restricted:v1.27`. */
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
