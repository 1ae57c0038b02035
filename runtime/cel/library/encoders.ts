/** Base64. */
import { withoutTrailing } from '../../objects/scan/numbers.js';
import { bytes, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { fail } from '../values/error.js';
import { declare, overload } from './declare.js';

/** The bytes that one call converts, because a call takes a limited number of arguments. */
const pieceSize = 8192;

export const encodersLibrary: Library = {
  name: 'encoders',
  functions: [
    declare('base64.encode', overload('base64_encode_bytes', [bytes], string, encode)),
    declare('base64.decode', overload('base64_decode_string', [string], bytes, decode)),
  ],
};

function encode(value: Uint8Array): string {
  let text = '';
  for (let at = 0; at < value.length; at += pieceSize)
    text += String.fromCharCode(...value.subarray(at, at + pieceSize));
  return btoa(text);
}

/** Decodes base64 with or without padding. */
function decode(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return fail('illegal base64 data');
  const bare = withoutTrailing(text, '=');
  if (bare.length % 4 === 1) return fail('illegal base64 data');
  return Uint8Array.from(atob(bare), (char) => char.charCodeAt(0));
}
