import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** Elements are made one by one, so that the page needs no policy for Trusted Types. */
export default { preprocess: vitePreprocess(), compilerOptions: { fragments: 'tree', runes: true } };
