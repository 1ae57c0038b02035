/** Reads headers and settings that are lists. */

/** The members of a list (RFC 9110, 5.6.1) without the blanks around them; an empty text has one, which is empty. */
export function listMembers(text: string): string[] {
  return text.split(',').map((member) => member.trim());
}
