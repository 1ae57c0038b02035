/** A page with nothing but the editor of one object, named in the query. */
import { mount } from 'svelte';
import '../../../src/design/tokens.css';
import '../../../src/design/base.css';
import Host from './Host.svelte';

const target = document.getElementById('app');
if (target) mount(Host, { target });
