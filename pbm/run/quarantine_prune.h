/* The files of quarantine/, as quarantine.c makes them and quarantine_prune.c removes
 * them: NAME.eml, and NAME.why with the reason and, on a line of its own, whether the
 * sender has a proof.  Other files in the folder are left alone. */
#ifndef PBM_RUN_QUARANTINE_PRUNE_H
#define PBM_RUN_QUARANTINE_PRUNE_H

#define QUARANTINE_FOLDER "quarantine"
#define QUARANTINE_NAME 32 /* hexadecimal digits of a NAME */
#define QUARANTINE_PROVED "The sender has a proof."

#endif
