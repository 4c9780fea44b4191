//===- ArtifactLibrary.cpp - an artifact, loaded as a library -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/ArtifactLibrary.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/InputFiles.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <set>
#include <string_view>

namespace tenon::artifact {

/// Functions of every artifact, behind its prefix.
static const char *const functions[] = {
    "_abi_version", "_manifest",     "_load",   "_infer_shapes", "_run",
    "_trace_json",  "_memory_bytes", "_unload", "_last_error"};

/// The first version with the functions of entries and states.
static constexpr uint32_t versionOfEntries = 3;
static constexpr uint32_t versionOfTarget = 4;
static constexpr uint32_t versionOfPlans = 5;

/// The symbol that artifacts with a prefix other than "tenon" export: the
/// prefix, as text.
static constexpr char prefixSymbol[] = "tenon_symbol_prefix";

/// The prefix of an artifact's functions, by the names that it defines: that of
/// the most of them.
static std::string findPrefix(const std::set<std::string> &symbols) {
  std::string prefix = "tenon";
  if (!symbols.count(prefixSymbol))
    return prefix;
  size_t most = 0;
  for (const std::string &name : symbols) {
    std::string_view ending = functions[0];
    if (name.size() <= ending.size() ||
        name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
      continue;
    std::string candidate = name.substr(0, name.size() - ending.size());
    size_t count = 0;
    for (const char *function : functions)
      count += symbols.count(candidate + function);
    // Another artifact may be in the same library.
    if (count > most || (count == most && prefix == "tenon")) {
      most = count;
      prefix = candidate;
    }
  }
  return prefix;
}

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
  std::string firstMissing, prefix = findPrefix(*symbols);
  for (const char *name : functions)
    if (!symbols->count(prefix + name))
      if (missing++ == 0)
        firstMissing = prefix + name;
  if (missing == std::size(functions))
    return makeError("'", path, "' is not a compiled model of Tenon");
  if (missing > 0)
    return makeError("'", path, "' is an incomplete compiled model: it lacks ",
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
        ::dlsym(handle, (prefix + symbol).c_str()));
  };
  if (symbols->count(prefixSymbol)) {
    const char *said = static_cast<const char *>(::dlsym(handle, prefixSymbol));
    if (!said || prefix != said)
      return makeError("'", path,
                       "' is damaged: its functions have the prefix '", prefix,
                       "', but it says '", said ? said : "", "'");
  }
  decltype(&::tenon_abi_version) abiVersion;
  decltype(&::tenon_manifest) manifest;
  get("_abi_version", abiVersion);
  get("_manifest", manifest);
  get("_load", library.load);
  get("_infer_shapes", library.inferShapes);
  get("_run", library.run);
  get("_trace_json", library.traceJson);
  get("_memory_bytes", library.memoryBytes);
  get("_unload", library.unload);
  get("_last_error", library.lastError);
  library.version = abiVersion();
  // Each version adds to the one before.
  if (library.version < 2 || library.version > TENON_ABI_VERSION)
    return makeError("'", path, "' has the ABI version ", library.version,
                     ", but this tool has ", TENON_ABI_VERSION);
  if (library.version >= versionOfEntries) {
    get("_infer_entry_shapes", library.inferEntryShapes);
    get("_load_with", library.loadWith);
    get("_run_entry", library.runEntry);
    get("_get_state", library.getState);
    get("_save_states", library.saveStates);
    get("_restore_states", library.restoreStates);
  }
  if (library.version >= versionOfTarget)
    get("_target", library.target);
  if (library.version >= versionOfPlans) {
    get("_plan_memory", library.planMemory);
    get("_tables", library.tables);
  }
  const char *text = manifest();
  Expected<Manifest> parsed = parseManifest(text ? text : "");
  if (!parsed)
    return makeError("'", path, "': ", parsed.error());
  library.manifest = std::move(*parsed);
  return library;
}

int32_t ArtifactLibrary::create(tenon_load_options options,
                                tenon_model *&model) const {
  options.struct_size = sizeof options;
  return loadWith ? loadWith(&options, &model) : load(&options.options, &model);
}

std::string ArtifactLibrary::getTarget(tenon_model *model,
                                       int32_t device) const {
  const char *name = target ? target(model) : nullptr;
  return name ? name : manifest.targetOn(device);
}

} // namespace tenon::artifact
