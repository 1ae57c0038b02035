/** The authorizers that a server can ask, by their names in flags. */

export const authorizationModes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;

/** One method of authorization. The server asks several methods in the given order. */
export type AuthorizationMode = (typeof authorizationModes)[number];
