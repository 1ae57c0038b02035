/** Tells that admission webhooks are stored, but not called. */

/** The warning that comes with every write of a configuration with webhooks. */
export function noEffectWarnings(webhooks: readonly unknown[] | undefined): readonly string[] {
  if (webhooks === undefined || webhooks.length === 0) return [];
  return ['this server does not call admission webhooks yet: the configuration is stored, but has no effect'];
}
