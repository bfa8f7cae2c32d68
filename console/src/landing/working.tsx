import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Leads } from './leads';
import { Demo } from './proof/demo';

/** The parts of the page that need a script. The build renders each on its own, so that each starts on its own. */
export const WORKING = {
  demo: (
    <StrictMode>
      <Demo />
    </StrictMode>
  ),
  leads: (
    <StrictMode>
      <Leads />
    </StrictMode>
  ),
};

/** Makes a part of the prerendered page work. */
export function start(place: HTMLElement): void {
  const name = place.dataset.works as keyof typeof WORKING;
  hydrateRoot(place, WORKING[name], { identifierPrefix: name });
}
