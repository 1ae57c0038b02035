/** Joins a server's address and paths: an address may end in slashes, and a path starts with one. */

/** Removes slashes at the end. A regular expression would search again from each slash. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end--;
  return text.slice(0, end);
}
