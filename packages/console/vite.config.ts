import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { icons } from './build/icons.js';

/** The server to which `npm run dev` passes requests of the API. */
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
    // Vite requests the styles of a part only once, even if the server was away.
    cssCodeSplit: false,
  },
  server: {
    proxy: {
      // Everything except the console's own files. These are under /console/, but so are its requests to the server.
      '^/(?!console/(?!api/))': {
        ...{ target: server, changeOrigin: true, ws: true, secure: false },
        // Only pages of its own may sign in with a code, and open WebSockets.
        headers: { origin: new URL(server).origin },
      },
    },
  },
});
