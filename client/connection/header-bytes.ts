/** Encodes the values of headers for sending: the bytes of UTF-8, each as one character. */

/** Returns the value itself if it is ASCII, as nearly all values are. */
export const headerBytes = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : String.fromCharCode(...new TextEncoder().encode(text));
