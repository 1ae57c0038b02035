/** Finds the flow schema of a request, and the priority level that it has. */
import type { AccessAttributes, UserInfo } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { byPrecedence, type FlowSchema, type Rule } from './flow-schemas.js';

/** A flow schema with what its requests fall under. */
export interface SchemaWith<Target> {
  readonly schema: FlowSchema;
  readonly target: Target;
}

/** The requests that the rules of a schema are about, for one user. */
interface Candidate<Target> {
  readonly requests: Rule['requests'];
  readonly target: Target;
}

/**
 * The function that finds what a request falls under, by the schema with the lowest precedence among those that are for
 * it. Which subjects a user is gets found once, where the user stays the same object.
 */
export function classifier<Target>(
  schemas: readonly SchemaWith<Target>[],
): (attributes: AccessAttributes) => Target | undefined {
  const inOrder = [...schemas].sort((a, b) => byPrecedence(a.schema, b.schema));
  const candidatesOf = memoizeByObject((user: UserInfo): readonly Candidate<Target>[] =>
    inOrder.flatMap(({ schema, target }) => {
      const rules = schema.rules.filter(({ subjects }) => subjects.some((matches) => matches(user)));
      return rules.length === 0 ? [] : [{ requests: rules.flatMap(({ requests }) => requests), target }];
    }),
  );
  return (attributes) => {
    for (const { requests, target } of candidatesOf(attributes.user)) {
      for (const matches of requests) if (matches(attributes)) return target;
    }
    return undefined;
  };
}
