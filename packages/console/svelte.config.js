import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Svelte creates elements one by one, so that the page needs no policy for Trusted Types. */
export default { preprocess: vitePreprocess(), compilerOptions: { fragments: 'tree', runes: true } };
