/** The modes of authorization that a server has. */

export const authorizationModes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;

/** One way to decide; those that are given are asked in their order. */
export type AuthorizationMode = (typeof authorizationModes)[number];
