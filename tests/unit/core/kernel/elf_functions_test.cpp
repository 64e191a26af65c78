// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/elf_functions.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace ferry {
namespace {

using Names = std::vector<std::string>;

// A file with one symbol table and its texts, as a compiler lays them out.
struct Image {
  Elf64_Ehdr head{};
  Elf64_Shdr sections[3]{};  // none, symbols, texts
  Elf64_Sym symbols[5]{};
  char texts[32] = "\0mul\0add\0data\0extern";

  Image() {
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_shoff = offsetof(Image, sections);
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = 3;
    sections[1].sh_type = SHT_SYMTAB;
    sections[1].sh_offset = offsetof(Image, symbols);
    sections[1].sh_size = sizeof symbols;
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = offsetof(Image, texts);
    sections[2].sh_size = sizeof texts;
    add(1, 1, STT_FUNC, 7);
    add(2, 5, STT_FUNC, 7);
    add(3, 9, STT_OBJECT, 7);
    add(4, 14, STT_FUNC, SHN_UNDEF);
  }
  void add(size_t index, uint32_t text, unsigned char type, uint16_t section) {
    symbols[index].st_name = text;
    symbols[index].st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    symbols[index].st_shndx = section;
  }
  Names names(size_t size = sizeof(Image)) const {
    // Of exactly this size, so that a sanitizer sees a read behind the end.
    const auto* begin = reinterpret_cast<const std::byte*>(this);
    return functions_of_elf(std::vector<std::byte>(begin, begin + size));
  }
};

TEST(ElfFunctions, AreTheDefinedOnesSorted) {
  EXPECT_EQ((Names{"add", "mul"}), Image().names());
}

TEST(ElfFunctions, AreListedOnceWhenTwoTablesHaveThem) {
  Image image;
  image.sections[0] = image.sections[1];
  EXPECT_EQ((Names{"add", "mul"}), image.names());
}

TEST(ElfFunctions, OfAFileThatIsCutOffAreThoseThatAreThere) {
  for (size_t size = 0; size < sizeof(Image); ++size) {
    for (const std::string& name : Image().names(size))
      EXPECT_TRUE(name == "add" || name == "mul") << name << " of " << size << " bytes";
  }
}

TEST(ElfFunctions, OfOtherFilesAreNone) {
  EXPECT_EQ(Names(), functions_of_elf({}));
  Image image;
  image.head.e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(Names(), image.names());
  image = Image();
  image.head.e_ident[EI_DATA] = ELFDATA2MSB;
  EXPECT_EQ(Names(), image.names());
}

TEST(ElfFunctions, IgnoresWhatLeadsOutOfTheFile) {
  for (const uint64_t far : {uint64_t{sizeof(Image)}, UINT64_MAX - 1, UINT64_MAX}) {
    Image image;
    image.head.e_shoff = far;
    EXPECT_EQ(Names(), image.names());
    image = Image();
    image.sections[1].sh_offset = far;
    EXPECT_EQ(Names(), image.names());
    image = Image();
    image.sections[2].sh_size = far;
    EXPECT_EQ(Names(), image.names());
  }
  Image image;
  image.sections[1].sh_link = 77;
  EXPECT_EQ(Names(), image.names());
  image = Image();
  image.symbols[1].st_name = 1000;
  EXPECT_EQ((Names{"add"}), image.names());
}

}  // namespace
}  // namespace ferry
