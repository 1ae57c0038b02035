/** Builds the pages. `vite dev` passes requests for the API to the server, so pages and API have one origin. */
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [vue(), svelte({ configFile: false })],
  build: { target: 'es2022', rollupOptions: { input: ['index.html', 'react.html', 'vue.html', 'svelte.html'] } },
  server: {
    proxy: {
      '^/(apis?|openapi|version)(/|$|\\?)': { target: process.env.API_URL ?? 'http://127.0.0.1:8080', ws: true },
    },
    // For a checkout, like everything below.
    fs: { allow: ['../..'] },
  },
  // In a checkout, the sources are the package. A project with an installed kindforge does not need this.
  resolve: { alias: { 'kindforge/client': fileURLToPath(new URL('../../client/index.ts', import.meta.url)) } },
  cacheDir: '.kindforge/vite',
});
