import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { icons } from './build/icons.js';

/** The server that `npm run dev` sends requests of the API to. */
const server = process.env.KINDFORGE_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [icons(), svelte()],
  resolve: {
    alias: {
      'kindforge/client': fileURLToPath(new URL('../../client/index.ts', import.meta.url)),
      re2js: fileURLToPath(new URL('build/no-patterns.ts', import.meta.url)),
    },
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Vite asks once only for the styles of a part, even if the server was away.
    cssCodeSplit: false,
  },
  server: {
    proxy: {
      // All but the console's own files: these are under /console/, with the exception of its requests to the server.
      '^/(?!console/(?!api/))': {
        ...{ target: server, changeOrigin: true, ws: true, secure: false },
        // The server signs in by a code, and opens WebSockets, only for pages of its own.
        headers: { origin: new URL(server).origin },
      },
    },
  },
});
