/// <reference types="vite/client" />
/** The client that all pages use. */
import { webSocketTransport } from 'kindforge/client';
import { createClient } from '../generated/client.js';

/** In memory only: it is gone when the page closes. */
let token: string | undefined;

/** Uses a token for all requests from now on. */
export function signIn(given: string): void {
  token = given;
}

/** The API has the origin of the page, unless the build sets another one. */
const baseUrl: string = import.meta.env.VITE_API_URL ?? '/';

export const api = createClient({
  transport: webSocketTransport({ baseUrl, naming: 'kubernetes', token: () => token }),
});
