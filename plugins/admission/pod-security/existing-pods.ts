/** Tells of the pods of a namespace that break the policy that it gets. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { byCodePoint, quote } from '../../../runtime/objects/printing.js';
import type { Steps } from '../../../runtime/objects/turns.js';
import { toJudged } from './control.js';
import { type Policy, policyText } from './level.js';
import { isExemptClass, type Settings } from './settings.js';
import { reasonsText } from './standard.js';

/** Pods that are looked at, at most. */
const most = 3000;
/** How long that may take, milliseconds. */
const longest = 1000;

/** Warnings about pods that break a policy, those with the same reasons in one. */
export function* warningsOfExisting(
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

/** The first pod of each controller comes before its others, which are most likely the same. */
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

/** As in `a (and 2 other pods)`, `a` being the first by name. */
function podsText(names: readonly string[]): string {
  const [first = ''] = [...names].sort(byCodePoint);
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
