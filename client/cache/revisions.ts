/** Compares revisions: decimal numbers, which may be wider than JavaScript's. */

const isRevision = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);

/** Whether a revision is certainly later than another. Texts that are no numbers tell nothing. */
export function isLater(revision: string | undefined, than: string | undefined): boolean {
  if (!isRevision(revision) || !isRevision(than)) return false;
  return revision.length === than.length ? revision > than : revision.length > than.length;
}
