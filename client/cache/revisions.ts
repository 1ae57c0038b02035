/** Compares revisions: decimal numbers that may be wider than a JavaScript number. */

const isRevision = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);

/** Returns whether a revision is certainly later than another. Texts that are not numbers are never later. */
export function isLater(revision: string | undefined, than: string | undefined): boolean {
  if (!isRevision(revision) || !isRevision(than)) return false;
  return revision.length === than.length ? revision > than : revision.length > than.length;
}
