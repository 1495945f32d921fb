import 'attention-playground/element';
import { backends, compute, layer, ready, version } from 'attention-playground';

const told: string[] = [];
const playground = document.querySelector('attention-playground')!;
playground.addEventListener('change', ({ detail }) => told.push(`change by ${detail.by}, ${detail.state.settings.heads} heads`));
playground.addEventListener('select', ({ detail }) => told.push(`select ${detail.state.cell?.query_token}`));

Object.assign(globalThis, { course: { backends, compute, layer, ready, told, version } });
