/// <reference types="vite/client" />
/** The client that all pages use. */
import { webSocketTransport } from 'kindforge/client';
import { createClient } from '../generated/client.js';

/** In memory only, so that it goes with the page. */
let token: string | undefined;

/** Uses a token for all requests from now on. */
export function signIn(given: string): void {
  token = given;
}

/** The API is where the page comes from, unless the build says otherwise. */
const baseUrl: string = import.meta.env.VITE_API_URL ?? '/';

export const api = createClient({
  transport: webSocketTransport({ baseUrl, naming: 'kubernetes', token: () => token }),
});
