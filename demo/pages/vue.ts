/** The dialer as a Vue component. */
import { createApp } from 'vue';
import Phone from './Phone.vue';

createApp(Phone).mount('#root');
