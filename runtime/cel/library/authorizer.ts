/** Questions to the authorizer about the rights of a request. Expressions build them step by step. */
import type { AccessAttributes, AccessDecision, UserInfo } from '../../contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../objects/names/name-checks.js';
import { readSelectors } from '../../objects/selectors/requirements.js';
import { bool, opaque, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { fail } from '../values/error.js';
import { type CelValue, Opaque } from '../values/value.js';
import { declare, member } from './declare.js';

/** Answers a question. Errors outside the language end the evaluation and reach its caller. */
export type Ask = (question: AccessAttributes) => AccessDecision;

/** The resource that a question is about. */
export interface AskedResource {
  readonly group: string;
  readonly resource: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty for any. */
  readonly name: string;
  /** The text of a selector. If it cannot be read, the authorizer answers the wider question without it. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

const names = {
  authorizer: 'kubernetes.authorization.Authorizer',
  pathCheck: 'kubernetes.authorization.PathCheck',
  groupCheck: 'kubernetes.authorization.GroupCheck',
  resourceCheck: 'kubernetes.authorization.ResourceCheck',
  decision: 'kubernetes.authorization.Decision',
} as const;

/** The type of the variable `authorizer`. */
export const authorizerType = opaque(names.authorizer);
/** The type of questions about a resource, such as `authorizer.requestResource`. */
export const resourceCheckType = opaque(names.resourceCheck);
const pathCheckType = opaque(names.pathCheck);
const groupCheckType = opaque(names.groupCheck);
const decisionType = opaque(names.decision);

abstract class Question extends Opaque {
  equals(other: CelValue): boolean {
    return this === other;
  }
}

/** The user with the rights to check. */
class Authorizer extends Question {
  readonly typeName = names.authorizer;

  constructor(
    readonly user: UserInfo,
    readonly ask: Ask,
  ) {
    super();
  }
}

class PathCheck extends Question {
  readonly typeName = names.pathCheck;

  constructor(
    readonly of: Authorizer,
    readonly path: string,
  ) {
    super();
  }
}

class GroupCheck extends Question {
  readonly typeName = names.groupCheck;

  constructor(
    readonly of: Authorizer,
    readonly group: string,
  ) {
    super();
  }
}

class ResourceCheck extends Question {
  readonly typeName = names.resourceCheck;

  constructor(
    readonly of: Authorizer,
    readonly asked: AskedResource,
  ) {
    super();
  }

  with(more: Partial<AskedResource>): ResourceCheck {
    return new ResourceCheck(this.of, { ...this.asked, ...more });
  }
}

class Decision extends Question {
  readonly typeName = names.decision;

  constructor(readonly answer: AccessDecision) {
    super();
  }
}

/** Returns the value of `authorizer` for the user of a request. */
export const authorizerValue = (user: UserInfo, ask: Ask): CelValue => new Authorizer(user, ask);

/** Returns the value of `authorizer.requestResource`: a question about the resource of the request itself. */
export const resourceCheckValue = (user: UserInfo, ask: Ask, asked: AskedResource): CelValue =>
  new ResourceCheck(new Authorizer(user, ask), asked);

function forServiceAccount({ ask }: Authorizer, namespace: string, name: string): Authorizer {
  if (dns1123Subdomain(name).length > 0) fail('Invalid service account name');
  if (dns1123Label(namespace).length > 0) fail('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new Authorizer({ name: `system:serviceaccount:${namespace}:${name}`, uid: '', groups, extra: {} }, ask);
}

const notBlank = (text: string, what: string): string =>
  text.trim() === '' ? fail(`${what} must not be empty`) : text;

function resourceCheck({ of, group }: GroupCheck, resource: string): ResourceCheck {
  const asked = { group, resource: notBlank(resource, 'resource'), subresource: '', namespace: '', name: '' };
  return new ResourceCheck(of, asked);
}

/** Declares functions that each fill in one part of a question. */
const partSetters = (parts: readonly (keyof AskedResource)[]): Library['functions'] =>
  parts.map((part) =>
    declare(
      part,
      member(
        `resourcecheck_${part.toLowerCase()}`,
        [resourceCheckType, string],
        resourceCheckType,
        (check: ResourceCheck, text: string) => check.with({ [part]: text }),
      ),
    ),
  );

/** The functions that later releases added: selectors in questions. */
export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  functions: partSetters(['fieldSelector', 'labelSelector']),
};

/**
 * The functions of `authorizer`, and of the questions that they build. A check costs a third of the limit of an
 * expression.
 */
export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare(
      'path',
      member(
        'authorizer_path',
        [authorizerType, string],
        pathCheckType,
        (of: Authorizer, path: string) => new PathCheck(of, notBlank(path, 'path')),
      ),
    ),
    declare(
      'group',
      member(
        'authorizer_group',
        [authorizerType, string],
        groupCheckType,
        (of: Authorizer, group: string) => new GroupCheck(of, group),
      ),
    ),
    declare(
      'serviceAccount',
      member('authorizer_serviceaccount', [authorizerType, string, string], authorizerType, forServiceAccount),
    ),
    declare('resource', member('groupcheck_resource', [groupCheckType, string], resourceCheckType, resourceCheck)),
    ...partSetters(['subresource', 'namespace', 'name']),
    declare(
      'check',
      member(
        'pathcheck_check',
        [pathCheckType, string],
        decisionType,
        ({ of, path }: PathCheck, verb: string) => new Decision(of.ask({ user: of.user, verb, path })),
      ),
      member(
        'resourcecheck_check',
        [resourceCheckType, string],
        decisionType,
        ({ of, asked: { fieldSelector = '', labelSelector = '', ...asked } }: ResourceCheck, verb: string) =>
          new Decision(of.ask({ user: of.user, verb, ...asked, ...readSelectors(fieldSelector, labelSelector) })),
      ),
    ),
    declare(
      'allowed',
      member('decision_allowed', [decisionType], bool, ({ answer }: Decision) => answer.decision === 'allow'),
    ),
    declare(
      'reason',
      member('decision_reason', [decisionType], string, ({ answer }: Decision) => answer.reason ?? ''),
    ),
    declare(
      'errored',
      member('decision_errored', [decisionType], bool, ({ answer }: Decision) => answer.evaluationError !== undefined),
    ),
    declare(
      'error',
      member('decision_error', [decisionType], string, ({ answer }: Decision) => answer.evaluationError ?? ''),
    ),
  ],
};
