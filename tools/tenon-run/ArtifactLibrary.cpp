//===- ArtifactLibrary.cpp - an artifact, loaded as a library -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArtifactLibrary.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/InputFiles.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <set>

using namespace tenon::artifact;

namespace tenon::run {

static const char *const functions[] = {
    "tenon_abi_version",  "tenon_manifest", "tenon_load",
    "tenon_infer_shapes", "tenon_run",      "tenon_trace_json",
    "tenon_memory_bytes", "tenon_unload",   "tenon_last_error"};

/// The `count` entries of type T at `offset`, or null when the file is shorter.
template <typename T>
static const T *entriesAt(const MappedFile &file, uint64_t offset,
                          uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T) ||
      offset % alignof(T) != 0)
    return nullptr;
  return reinterpret_cast<const T *>(file.data() + offset);
}

/// The names of what a shared library defines for others. Loading runs code of
/// the library and maps what its tables say, so they are looked at first.
static Expected<std::set<std::string>> readSymbols(const std::string &path) {
  noteInput(path);
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  const auto *header = entriesAt<Elf64_Ehdr>(*file, 0, 1);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return makeError("'", path, "' is not a shared library");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_DYN ||
      header->e_machine != EM_X86_64)
    return makeError("'", path, "' is not a shared library for x86-64");
  Error truncated = makeError("'", path, "' is damaged or truncated");

  const auto *segments =
      entriesAt<Elf64_Phdr>(*file, header->e_phoff, header->e_phnum);
  if (!segments)
    return truncated;
  for (int i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD &&
        !entriesAt<char>(*file, segments[i].p_offset, segments[i].p_filesz))
      return truncated;
  const auto *sections =
      entriesAt<Elf64_Shdr>(*file, header->e_shoff, header->e_shnum);
  if (!sections)
    return truncated;

  std::set<std::string> names;
  for (int i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr &table = sections[i];
    if (table.sh_type != SHT_DYNSYM || table.sh_link >= header->e_shnum)
      continue;
    const Elf64_Shdr &textSection = sections[table.sh_link];
    uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto *symbols = entriesAt<Elf64_Sym>(*file, table.sh_offset, count);
    const auto *text =
        entriesAt<char>(*file, textSection.sh_offset, textSection.sh_size);
    if (!symbols || !text)
      return truncated;
    for (uint64_t s = 0; s < count; ++s) {
      if (symbols[s].st_shndx == SHN_UNDEF ||
          symbols[s].st_name >= textSection.sh_size)
        continue;
      const char *name = text + symbols[s].st_name;
      names.emplace(name,
                    ::strnlen(name, textSection.sh_size - symbols[s].st_name));
    }
  }
  return names;
}

Expected<ArtifactLibrary> ArtifactLibrary::open(const std::string &path) {
  Expected<std::set<std::string>> symbols = readSymbols(path);
  if (!symbols)
    return symbols.takeError();
  size_t missing = 0;
  const char *firstMissing = nullptr;
  for (const char *name : functions)
    if (!symbols->count(name)) {
      firstMissing = missing++ == 0 ? name : firstMissing;
    }
  if (missing == std::size(functions))
    return makeError("'", path, "' is not a compiled model of Tenon");
  if (missing > 0)
    return makeError("'", path, "' is not a whole compiled model: it lacks ",
                     firstMissing);

  // A name without a slash would be looked up in the system's folders.
  std::string name = path.find('/') == std::string::npos ? "./" + path : path;
  void *handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = ::dlerror();
    return makeError("cannot load '", path,
                     "': ", reason ? reason : "unknown reason");
  }
  ArtifactLibrary library;
  auto get = [&](const char *symbol, auto &function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        ::dlsym(handle, symbol));
  };
  decltype(&::tenon_abi_version) abiVersion;
  decltype(&::tenon_manifest) manifest;
  get("tenon_abi_version", abiVersion);
  get("tenon_manifest", manifest);
  get("tenon_load", library.load);
  get("tenon_infer_shapes", library.inferShapes);
  get("tenon_run", library.run);
  get("tenon_trace_json", library.traceJson);
  get("tenon_memory_bytes", library.memoryBytes);
  get("tenon_unload", library.unload);
  get("tenon_last_error", library.lastError);
  if (uint32_t version = abiVersion(); version != TENON_ABI_VERSION)
    return makeError("'", path, "' has the ABI version ", version,
                     ", but this tenon-run has ", TENON_ABI_VERSION);
  const char *text = manifest();
  Expected<Manifest> parsed = parseManifest(text ? text : "");
  if (!parsed)
    return makeError("'", path, "': ", parsed.error());
  library.manifest = std::move(*parsed);
  return library;
}

} // namespace tenon::run
