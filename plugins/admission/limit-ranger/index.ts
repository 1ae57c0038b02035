/** LimitRanger: containers get the requests and limits of their namespace, and pods and claims keep to its bounds. */
import type { AdmissionPlugin, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';
import { demandOf, demandOfPod } from './amounts.js';
import { checkDemand, checkRequests } from './check-limit.js';
import { type Limit, LimitRanges } from './limit-ranges.js';
import { setDefaults } from './set-defaults.js';

/** Pods are judged once: their resources never change. */
const isPods = handlesObjects('', 'pods', 'CREATE');
const isClaims = handlesObjects('', 'persistentvolumeclaims', 'CREATE', 'UPDATE');

export function defineLimitRanger({ rename }: Naming): AdmissionPlugin {
  const annotation = rename('platform.io/limit-ranger');
  const ranges = new LimitRanges();
  return {
    name: 'LimitRanger',
    start: (host) => void host.follow('', 'limitranges', ranges),
    handles: (...what) => isPods(...what) || isClaims(...what),
    admit({ object, resource, namespace }) {
      const spec = objectAt(object, 'spec');
      if (!object || !spec || resource.names.plural !== 'pods') return undefined;
      for (const range of ranges.of(namespace)) {
        const failure = setDefaults(object, spec, range, annotation);
        if (failure) return failure;
      }
      return undefined;
    },
    validate(attributes) {
      const { object, oldObject, resource, namespace } = attributes;
      const spec = objectAt(object, 'spec');
      // An object that is on its way out must not be kept by its finalizers' updates being refused.
      if (!spec || oldObject?.metadata.deletionTimestamp !== undefined) return undefined;
      const check = resource.names.plural === 'pods' ? checkPod : checkClaim;
      for (const { limits } of ranges.of(namespace)) {
        const problems = new Set<string>();
        for (const problem of problemsOf(limits, (limit) => check(spec, limit))) {
          if (problems.add(problem).size === mostProblems) break;
        }
        if (problems.size > 0) return refuse(attributes, together([...problems]));
      }
      return undefined;
    },
  };
}

const together = (problems: readonly string[]): string =>
  problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`;

/** Problems that a refusal lists. */
const mostProblems = 1000;

function* problemsOf(limits: readonly Limit[], check: (limit: Limit) => Iterable<string>): Iterable<string> {
  for (const limit of limits) yield* check(limit);
}

function* checkPod(spec: JsonObject, limit: Limit): Iterable<string> {
  if (limit.type === 'Pod') yield* checkDemand(limit, demandOfPod(spec));
  if (limit.type !== 'Container') return;
  const containers = ['containers', 'initContainers'].flatMap((list) => objectsAt(spec, list));
  for (const container of containers) yield* checkDemand(limit, demandOf(container));
}

const checkClaim = (spec: JsonObject, limit: Limit): Iterable<string> =>
  limit.type === 'PersistentVolumeClaim' ? checkRequests(limit, demandOf(spec)) : [];
