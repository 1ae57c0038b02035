/** A page with only the editor of one object. The query names the object. */
import { mount } from 'svelte';
import '../../../src/design/tokens.css';
import '../../../src/design/base.css';
import Host from './Host.svelte';

const target = document.getElementById('app');
if (target) mount(Host, { target });
