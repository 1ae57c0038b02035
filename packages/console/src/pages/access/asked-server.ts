/** Adapts the server of the session to the questions of `kindforge access`. */
import type { ServedKind } from 'kindforge/client';
import { rulesOf } from '../../../../../plugins/authorization/rbac/rule-table.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../../../../runtime/objects/guards.js';
import { type AskedServer, readPolicy } from '../../../../../server/access/answer-questions.js';
import type { AccessPolicy } from '../../../../../server/access/policy.js';
import { ruleText } from '../../../../../server/access/why.js';
import type { Session } from '../../session/session.js';

/** Reads the kinds of the server. The first question reads roles and bindings, for all later ones. */
export async function openServer(session: Session, namespace: string): Promise<AskedServer> {
  const resources = onceEach((await session.client.kinds()).kinds);
  let policy: Promise<AccessPolicy> | undefined;
  return {
    client: session.options,
    namespace,
    resources,
    policy: () => {
      policy ??= readPolicy(session.options, resources);
      return policy;
    },
  };
}

/** Returns each resource once: in its preferred version, or in the first version that has it. */
export function onceEach(kinds: readonly ServedKind[]): readonly ServedKind[] {
  const found = new Map<string, ServedKind>();
  for (const kind of kinds) {
    const key = `${kind.group}/${kind.plural}`;
    if (!found.has(key) || (kind.isPreferred && !found.get(key)?.isPreferred)) found.set(key, kind);
  }
  return [...found.values()];
}

/** The rights of the user, as the server lists them. */
export interface OwnRights {
  /** Each as in `get, list on configmaps`. */
  readonly rules: readonly string[];
  /** Whether the list may be incomplete. */
  readonly isIncomplete: boolean;
  /** The reason; may be empty. */
  readonly problem: string;
}

/** Asks what the user may do in a namespace. Resolves to `undefined` if the server has no such review. */
export async function readOwnRights(session: Session, namespace: string): Promise<OwnRights | undefined> {
  const { kinds } = await session.client.kinds();
  const review = kinds.find(({ plural }) => plural === 'selfsubjectrulesreviews');
  if (!review) return undefined;
  const { group, version, kind } = review;
  const answer: unknown = await session.client.create({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {},
    spec: { namespace },
  });
  return toOwnRights(answer);
}

/** Reads the status of a review. */
export function toOwnRights(review: unknown): OwnRights {
  const status = isObject(review) ? objectAt(review, 'status') : undefined;
  const rules = [...objectsAt(status, 'resourceRules'), ...objectsAt(status, 'nonResourceRules')];
  return {
    rules: [...new Set(rulesOf({ rules }).map(ruleText))],
    isIncomplete: status?.incomplete === true,
    problem: stringAt(status, 'evaluationError'),
  };
}
