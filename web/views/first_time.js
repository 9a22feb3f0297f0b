// first_time.js: the page without workloads: how to make a report, and examples.
import { html } from '../ui/lib.js';
import { Examples } from './examples.js';
import { FilePicker, ThreeCommands } from './pick.js';

export function FirstTime() {
  return html`
    <div class="empty">
      <h2>Drop an Nsight Systems report here</h2>
      <p>or a CSV of <code>nsys stats</code>, a PyTorch profiler trace, a folder of Accel-Sim traces as a tar. What it is, is recognised by its content.</p>
      <p><${FilePicker} /></p>
      <${ThreeCommands} />
      <${Examples} />
    </div>`;
}
