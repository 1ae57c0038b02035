/** What answers for virtual kinds, and for subresources with kinds of their own; one file per kind. */
import type { VirtualHandler } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { defineAccessReviews } from './access-reviews.js';
import { defineBindings } from './binding.js';
import { type Component, defineComponentStatus } from './component-status.js';
import { defineConnections } from './connections.js';
import { defineEviction } from './eviction.js';
import { defineRulesReview } from './rules-review.js';
import { defineSelfSubjectReview } from './self-subject-review.js';
import { defineTokenRequest, type TokenIssuer } from './token-request.js';
import { defineTokenReview } from './token-review.js';

export type { Component } from './component-status.js';
export type { TokenIssuer } from './token-request.js';

/** What some handlers need of the server that they answer for. */
export interface HandlerParts {
  /** Absent where the server issues no tokens. */
  readonly issuer?: TokenIssuer;
  readonly components?: readonly Component[];
}

/** The handlers of the built-in kinds. */
export function virtualHandlers(
  names: Naming,
  { issuer, components = [] }: HandlerParts = {},
): readonly VirtualHandler[] {
  return [
    ...defineAccessReviews(names),
    ...defineBindings(),
    ...defineConnections(),
    defineEviction(),
    defineComponentStatus(components),
    defineRulesReview(),
    defineSelfSubjectReview(),
    defineTokenReview(),
    ...(issuer ? [defineTokenRequest(names, issuer)] : []),
  ];
}
