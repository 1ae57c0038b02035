/** The handlers of virtual kinds and of subresources with their own kinds. */
import type { VirtualHandler } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate, type Release } from '../runtime/objects/release.js';
import { defineSelfSubjectReview } from './authentication.platform.io/selfsubjectreviews.js';
import { defineTokenRequest, type TokenIssuer } from './authentication.platform.io/tokenrequests.js';
import { defineTokenReview } from './authentication.platform.io/tokenreviews.js';
import { defineAccessReviews } from './authorization.platform.io/access-reviews.js';
import { defineRulesReview } from './authorization.platform.io/selfsubjectrulesreviews.js';
import { defineBindings } from './core/bindings.js';
import { type Component, defineComponentStatus } from './core/componentstatuses.js';
import { defineConnections } from './core/connections.js';
import { defineProxies } from './core/proxies.js';
import { defineEviction } from './policy/evictions.js';

export type { TokenIssuer } from './authentication.platform.io/tokenrequests.js';
export type { Component } from './core/componentstatuses.js';

/** Parts of the server that some handlers need. */
export interface HandlerParts {
  /** Missing if the server issues no tokens. */
  readonly issuer?: TokenIssuer;
  readonly components?: readonly Component[];
  /** Default: the specified release with the latest machinery. */
  readonly release?: Release | undefined;
}

/** Returns the handlers of the built-in virtual kinds. */
export function virtualHandlers(
  names: Naming,
  { issuer, components = [], release = emulate() }: HandlerParts = {},
): readonly VirtualHandler[] {
  return [
    ...defineAccessReviews(names),
    ...defineBindings(release),
    ...defineConnections(),
    ...defineProxies(names),
    defineEviction(release),
    defineComponentStatus(components),
    defineRulesReview(),
    defineSelfSubjectReview(),
    defineTokenReview(),
    ...(issuer ? [defineTokenRequest(names, issuer, release)] : []),
  ];
}
