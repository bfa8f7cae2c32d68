import { ChevronRight, Clock } from 'lucide-react';
import choices from '../parts/lists/choices.module.css';
import { tt } from './texts';

/** Opens one's working time, in a list of what a person can do. */
export const TimeChoice = ({ onTime }: { readonly onTime: () => void }) => (
  <button type="button" className={choices.choice} onClick={onTime}>
    <Clock size={22} aria-hidden="true" />
    <span>
      <strong>{tt.title}</strong>
      <span className={choices.about}>{tt.about}</span>
    </span>
    <ChevronRight size={18} aria-hidden="true" />
  </button>
);
