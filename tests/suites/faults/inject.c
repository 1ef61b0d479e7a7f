/*
** inject.c - the four injectors.
*/
#include "inject.h"

#include <stdlib.h>
#include <string.h>

const char *const fault_kinds[FAULT_KINDS] = {"oom", "io", "interrupt", "auth"};
const char *const fault_modes[4] = {"once", "stuck", "full", "locked"};

static struct {
  sqlite3 *db;
  FaultKind kind;
  FaultMode mode;
  int armed, hit;
  long n, chances;
} fault;

/* Counts a chance. Returns 1 when it has to fail. */
static int chance(FaultKind kind) {
  if (!fault.armed || fault.kind != kind) return 0;
  fault.chances++;
  if (fault.chances < fault.n) return 0;
  if (fault.chances > fault.n && (fault.mode == FAULT_ONCE || fault.mode == FAULT_LOCKED)) return 0;
  fault.hit = 1;
  return 1;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static sqlite3_mem_methods real;
static int tracking;
static long owned;

/* In front of every block. 16 bytes, so that the block stays aligned. */
typedef struct Head {
  sqlite3_int64 size;
  sqlite3_int64 tracked;
} Head;

static void *memMalloc(int n) {
  Head *h;
  if (chance(FAULT_OOM)) return NULL;
  h = malloc(sizeof(Head) + (size_t)n);
  if (!h) return NULL;
  h->size = n;
  h->tracked = tracking;
  owned += tracking;
  return h + 1;
}

static void memFree(void *p) {
  Head *h;
  if (!p) return;
  h = (Head *)p - 1;
  owned -= (long)h->tracked;
  free(h);
}

static void *memRealloc(void *p, int n) {
  Head *h = (Head *)p - 1;
  if (chance(FAULT_OOM)) return NULL;
  h = realloc(h, sizeof(Head) + (size_t)n);
  if (!h) return NULL;
  h->size = n;
  return h + 1;
}

static int memSize(void *p) {
  return p ? (int)((Head *)p - 1)->size : 0;
}

static int memRoundup(int n) {
  return (n + 7) & ~7;
}

static int memInit(void *unused) {
  (void)unused;
  return SQLITE_OK;
}

static void memShutdown(void *unused) {
  (void)unused;
}

void fault_owner(int tracked) {
  tracking = tracked;
}

long fault_owned(void) {
  return owned;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static sqlite3_vfs *base;

typedef struct FaultFile {
  sqlite3_file file;
  sqlite3_file *real; /* lies behind this struct */
} FaultFile;

#define REAL(f) (((FaultFile *)(f))->real)

/* Writes count always; other calls not while only writes, or only locks, are to fail. */
static int ioFails(int isWrite, int isLock) {
  if (fault.mode == FAULT_FULL && !isWrite) return 0;
  if (fault.mode == FAULT_LOCKED && !isLock) return 0;
  return chance(FAULT_IO);
}

static int ioClose(sqlite3_file *f) {
  return REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
}

static int ioRead(sqlite3_file *f, void *p, int n, sqlite3_int64 at) {
  if (ioFails(0, 0)) return SQLITE_IOERR_READ;
  return REAL(f)->pMethods->xRead(REAL(f), p, n, at);
}

static int ioWrite(sqlite3_file *f, const void *p, int n, sqlite3_int64 at) {
  if (ioFails(1, 0)) {
    if (fault.mode == FAULT_FULL) return SQLITE_FULL;
    /* A write that fails may have written a part. */
    REAL(f)->pMethods->xWrite(REAL(f), p, n / 2, at);
    return SQLITE_IOERR_WRITE;
  }
  return REAL(f)->pMethods->xWrite(REAL(f), p, n, at);
}

static int ioTruncate(sqlite3_file *f, sqlite3_int64 n) {
  if (ioFails(0, 0)) return SQLITE_IOERR_TRUNCATE;
  return REAL(f)->pMethods->xTruncate(REAL(f), n);
}

/* Nobody pulls the plug during a test: what the system has been given is safe. */
static int ioSync(sqlite3_file *f, int flags) {
  (void)f;
  (void)flags;
  return ioFails(0, 0) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int ioFileSize(sqlite3_file *f, sqlite3_int64 *n) {
  if (ioFails(0, 0)) return SQLITE_IOERR_FSTAT;
  return REAL(f)->pMethods->xFileSize(REAL(f), n);
}

static int ioLock(sqlite3_file *f, int level) {
  if (ioFails(0, 1)) return fault.mode == FAULT_LOCKED ? SQLITE_BUSY : SQLITE_IOERR_LOCK;
  return REAL(f)->pMethods->xLock(REAL(f), level);
}

static int ioUnlock(sqlite3_file *f, int level) {
  return REAL(f)->pMethods->xUnlock(REAL(f), level);
}

static int ioReserved(sqlite3_file *f, int *yes) {
  if (ioFails(0, 0)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  return REAL(f)->pMethods->xCheckReservedLock(REAL(f), yes);
}

static int ioControl(sqlite3_file *f, int op, void *arg) {
  return REAL(f)->pMethods->xFileControl(REAL(f), op, arg);
}

static int ioSector(sqlite3_file *f) {
  return REAL(f)->pMethods->xSectorSize(REAL(f));
}

static int ioDevice(sqlite3_file *f) {
  return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f));
}

static int ioShmMap(sqlite3_file *f, int page, int size, int extend, void volatile **p) {
  if (ioFails(0, 0)) return SQLITE_IOERR_SHMMAP;
  return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, p);
}

static int ioShmLock(sqlite3_file *f, int offset, int n, int flags) {
  if (!(flags & SQLITE_SHM_UNLOCK) && ioFails(0, 1)) {
    return fault.mode == FAULT_LOCKED ? SQLITE_BUSY : SQLITE_IOERR_SHMLOCK;
  }
  return REAL(f)->pMethods->xShmLock(REAL(f), offset, n, flags);
}

static void ioShmBarrier(sqlite3_file *f) {
  REAL(f)->pMethods->xShmBarrier(REAL(f));
}

static int ioShmUnmap(sqlite3_file *f, int drop) {
  return REAL(f)->pMethods->xShmUnmap(REAL(f), drop);
}

static const sqlite3_io_methods ioMethods = {
    .iVersion = 2,
    .xClose = ioClose,
    .xRead = ioRead,
    .xWrite = ioWrite,
    .xTruncate = ioTruncate,
    .xSync = ioSync,
    .xFileSize = ioFileSize,
    .xLock = ioLock,
    .xUnlock = ioUnlock,
    .xCheckReservedLock = ioReserved,
    .xFileControl = ioControl,
    .xSectorSize = ioSector,
    .xDeviceCharacteristics = ioDevice,
    .xShmMap = ioShmMap,
    .xShmLock = ioShmLock,
    .xShmBarrier = ioShmBarrier,
    .xShmUnmap = ioShmUnmap,
};

static int vfsOpen(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
  FaultFile *file = (FaultFile *)f;
  int rc;
  (void)vfs;
  file->file.pMethods = NULL;
  file->real = (sqlite3_file *)(file + 1);
  if (ioFails(0, 0)) return SQLITE_CANTOPEN;
  rc = base->xOpen(base, name, file->real, flags, out);
  if (rc == SQLITE_OK) file->file.pMethods = &ioMethods;
  return rc;
}

static int vfsDelete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  (void)sync;
  if (ioFails(0, 0)) return SQLITE_IOERR_DELETE;
  return base->xDelete(base, name, 0);
}

static int vfsAccess(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
  (void)vfs;
  if (ioFails(0, 0)) return SQLITE_IOERR_ACCESS;
  return base->xAccess(base, name, flags, out);
}

void fault_setup(void) {
  static sqlite3_mem_methods mine = {memMalloc,  memFree, memRealloc,  memSize,
                                     memRoundup, memInit, memShutdown, NULL};
  static sqlite3_vfs vfs;
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
  sqlite3_config(SQLITE_CONFIG_MALLOC, &mine);
  /* Small blocks too are to come from the allocator. */
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  sqlite3_initialize();
  base = sqlite3_vfs_find(NULL);
  vfs = *base;
  vfs.zName = FAULT_VFS;
  vfs.szOsFile = (int)sizeof(FaultFile) + base->szOsFile;
  vfs.xOpen = vfsOpen;
  vfs.xDelete = vfsDelete;
  vfs.xAccess = vfsAccess;
  sqlite3_vfs_register(&vfs, 0);
}

/* ---- Interrupts and the authorizer
 * ---------------------------------------------------------------
 */

static int onProgress(void *unused) {
  (void)unused;
  if (!chance(FAULT_INTERRUPT)) return 0;
  if (fault.mode == FAULT_STUCK) return 1;
  sqlite3_interrupt(fault.db);
  return 0;
}

static int onAction(void *unused, int action, const char *a, const char *b, const char *c,
                    const char *d) {
  (void)unused;
  (void)action;
  (void)a;
  (void)b;
  (void)c;
  (void)d;
  return chance(FAULT_AUTH) ? SQLITE_DENY : SQLITE_OK;
}

/* ---- Arming ---------------------------------------------------------------------------------- */

void fault_arm(sqlite3 *db, FaultKind kind, FaultMode mode, long n) {
  /* A new authorizer makes SQLite prepare every cached statement again, and ask again. */
  if (kind == FAULT_AUTH) sqlite3_set_authorizer(db, onAction, NULL);
  if (kind == FAULT_INTERRUPT) sqlite3_progress_handler(db, 1, onProgress, NULL);
  fault.db = db;
  fault.kind = kind;
  fault.mode = mode;
  fault.n = n;
  fault.chances = 0;
  fault.hit = 0;
  fault.armed = 1;
}

long fault_disarm(int *hit) {
  fault.armed = 0;
  if (fault.kind == FAULT_AUTH) sqlite3_set_authorizer(fault.db, NULL, NULL);
  if (fault.kind == FAULT_INTERRUPT) sqlite3_progress_handler(fault.db, 0, NULL, NULL);
  *hit = fault.hit;
  return fault.chances;
}

int fault_code(FaultKind kind, int rc) {
  int primary = rc & 0xff;
  switch (kind) {
  case FAULT_OOM: return primary == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM;
  case FAULT_INTERRUPT: return primary == SQLITE_INTERRUPT;
  case FAULT_AUTH: return primary == SQLITE_AUTH;
  default:
    return primary == SQLITE_IOERR || primary == SQLITE_FULL || primary == SQLITE_CANTOPEN ||
           primary == SQLITE_BUSY || primary == SQLITE_PROTOCOL;
  }
}
