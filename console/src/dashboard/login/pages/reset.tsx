import { page } from '../../../light/page';
import { Reset } from '../reset';

export default page(<Reset />);
