/** Joins the address of a server and paths: an address may end in slashes, and a path begins with one. */

/** The text without slashes at its end. An expression would look again from each slash. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end--;
  return text.slice(0, end);
}
